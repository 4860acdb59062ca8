/** Big-endian two's complement, as java.math.BigInteger#toByteArray. */
export function bytesToInteger(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  const negative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return negative ? value - (1n << BigInt(bytes.length * 8)) : value;
}

/** `unscaled` × 10^-scale without an exponent; the scale may be negative. */
export function decimalText(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled);
  if (scale <= 0) return digits === '0' ? '0' : sign + digits + '0'.repeat(-scale);
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}
