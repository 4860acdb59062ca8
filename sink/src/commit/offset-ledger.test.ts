import { describe, expect, it } from '@jest/globals';
import { OffsetLedger } from './offset-ledger.js';

describe('the ledger of a partition', () => {
  it('S1: never passes a record that has not ended, whatever ended after it', () => {
    const ledger = new OffsetLedger(5n);
    const [first, second, third] = [ledger.receive(5n), ledger.receive(6n), ledger.receive(7n)];
    second.end();
    third.end();
    expect(ledger.committable).toBe(5n);
    expect(ledger.open).toBe(3);
    expect(ledger.unended).toBe(1);
    first.end();
    expect(ledger.committable).toBe(8n);
    expect(ledger.open).toBe(0);
  });
  it('takes gaps between offsets as normal', () => {
    const ledger = new OffsetLedger(0n);
    const [first, second] = [ledger.receive(0n), ledger.receive(17n)];
    first.end();
    expect(ledger.committable).toBe(17n);
    second.end();
    expect(ledger.committable).toBe(18n);
  });
  it('S1: goes past what held nothing for us only when all before it has ended', () => {
    const ledger = new OffsetLedger(0n);
    const only = ledger.receive(3n);
    ledger.advance(9n);
    expect(ledger.committable).toBe(3n);
    only.end();
    expect(ledger.committable).toBe(9n);
    ledger.advance(4n);
    expect(ledger.position).toBe(9n);
  });
  it('starts where it is told and holds offsets past 2^53 exactly', () => {
    const ledger = new OffsetLedger(9007199254740993n);
    expect(ledger.committable).toBe(9007199254740993n);
    ledger.receive(9007199254740993n).end();
    expect(ledger.committable).toBe(9007199254740994n);
  });
  it('stays right over many records', () => {
    const ledger = new OffsetLedger(0n);
    const entries = Array.from({ length: 20_000 }, (_, offset) => ledger.receive(BigInt(offset)));
    for (const entry of entries.slice(0, 15_000)) entry.end();
    expect(ledger.committable).toBe(15_000n);
    for (const entry of entries.slice(15_001)) entry.end();
    expect(ledger.committable).toBe(15_000n);
    entries[15_000]?.end();
    expect(ledger.committable).toBe(20_000n);
  });
});
