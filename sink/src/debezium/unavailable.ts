import type { UnavailableForms } from '../config/settings.js';
import { ExactNumber, isValueArray, isValueObject, type Value } from '../record/sink-record.js';

/**
 * True where a value is, or holds anywhere inside, the placeholder that Debezium sends for a value that the source did not
 * give it (unchanged and stored apart, TOAST), in any of its forms. Text that only contains the placeholder is data.
 */
export function isUnavailable(value: Value, forms: UnavailableForms): boolean {
  if (typeof value === 'string') return value.length <= forms.longest && forms.texts.has(value);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return false;
  if (value instanceof Uint8Array) return equalBytes(value, forms.bytes);
  if (isValueArray(value)) return isCodes(value, forms) || value.some((item) => isUnavailable(item, forms));
  if (!isValueObject(value)) return false;
  return Object.values(value).some((member) => isUnavailable(member, forms));
}

function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** An array of numbers: the placeholder's bytes (signed or not), or the codes of its characters. */
function isCodes(items: readonly Value[], { bytes, placeholder }: UnavailableForms): boolean {
  const areCodes = (length: number, codeAt: (index: number) => number | undefined, mask: number): boolean =>
    items.length === length &&
    items.every((item, index) => item instanceof ExactNumber && (Number(item.text) & mask) === codeAt(index));
  return (
    areCodes(bytes.length, (index) => bytes[index], 0xff) ||
    areCodes(placeholder.length, (index) => placeholder.charCodeAt(index), 0xffff)
  );
}
