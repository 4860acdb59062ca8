const pad = (value: number | bigint, length: number): string => String(value).padStart(length, '0');
const day = 86_400n;

/**
 * The date of a day number counted from 1970-01-01, as ISO 8601 in the proleptic Gregorian calendar
 * (Howard Hinnant's civil_from_days); years beyond 0000 to 9999 have a sign and six digits, as ISO 8601 asks.
 */
export function dateText(days: bigint): string {
  const shifted = days + 719_468n;
  const era = floorDivide(shifted, 146_097n);
  const dayOfEra = shifted - era * 146_097n;
  const yearOfEra = (dayOfEra - dayOfEra / 1460n + dayOfEra / 36_524n - dayOfEra / 146_096n) / 365n;
  const dayOfYear = dayOfEra - (365n * yearOfEra + yearOfEra / 4n - yearOfEra / 100n);
  const shiftedMonth = (5n * dayOfYear + 2n) / 153n;
  const date = dayOfYear - (153n * shiftedMonth + 2n) / 5n + 1n;
  const month = shiftedMonth < 10n ? shiftedMonth + 3n : shiftedMonth - 9n;
  const year = yearOfEra + era * 400n + (month <= 2n ? 1n : 0n);
  return `${yearText(year)}-${pad(month, 2)}-${pad(date, 2)}`;
}

function yearText(year: bigint): string {
  if (year >= 0n && year <= 9999n) return pad(year, 4);
  return `${year < 0n ? '-' : '+'}${pad(year < 0n ? -year : year, 6)}`;
}

/** A point in time counted from 1970-01-01T00:00:00; `unitsPerSecond` is 1000, 10^6 or 10^9. No zone is added. */
export function timestampText(units: bigint, unitsPerSecond: bigint): string {
  const days = floorDivide(units, unitsPerSecond * day);
  return `${dateText(days)}T${timeText(units - days * unitsPerSecond * day, unitsPerSecond)}`;
}

/** A time of day or a span, `hh:mm:ss` and only the decimals it has; MySQL's TIME may be negative or above 24 hours. */
export function timeText(units: bigint, unitsPerSecond: bigint): string {
  const absolute = units < 0n ? -units : units;
  const seconds = absolute / unitsPerSecond;
  const decimals = pad(absolute % unitsPerSecond, String(unitsPerSecond).length - 1).replace(/0+$/, '');
  const clock = `${pad(seconds / 3600n, 2)}:${pad((seconds / 60n) % 60n, 2)}:${pad(seconds % 60n, 2)}`;
  return `${units < 0n ? '-' : ''}${clock}${decimals && `.${decimals}`}`;
}

/** A span in days of 24 hours and a time, `367 days 09:04:05.6`. */
export function durationText(units: bigint, unitsPerSecond: bigint): string {
  const absolute = units < 0n ? -units : units;
  const days = absolute / (unitsPerSecond * day);
  const rest = absolute % (unitsPerSecond * day);
  const words = days === 0n ? [] : [`${days} ${days === 1n ? 'day' : 'days'}`];
  if (rest !== 0n || days === 0n) words.push(timeText(rest, unitsPerSecond));
  return `${units < 0n ? '-' : ''}${words.join(' ')}`;
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
