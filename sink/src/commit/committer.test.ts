import { describe, expect, it } from '@jest/globals';
import { Committer, type PartitionOffset } from './committer.js';
import { OffsetLedger } from './offset-ledger.js';

function setUp() {
  const commits: { generation: number; offsets: readonly PartitionOffset[] }[] = [];
  let answer: () => Promise<boolean> = () => Promise.resolve(true);
  const committer = new Committer((generation, offsets) => {
    commits.push({ generation, offsets });
    return answer();
  });
  const ledger = new OffsetLedger(0n);
  committer.assign(1, [{ topic: 't', partition: 0, ledger }]);
  return { commits, committer, ledger, answers: (next: () => Promise<boolean>) => (answer = next) };
}

describe('the committer', () => {
  it('S1: commits what the ledger allows, and only where it has moved', async () => {
    const { commits, committer, ledger } = setUp();
    await committer.commit();
    expect(commits).toEqual([]);
    const [first, second] = [ledger.receive(0n), ledger.receive(1n)];
    second.end();
    await committer.commit();
    expect(commits).toEqual([]);
    first.end();
    await committer.commit();
    await committer.commit();
    expect(commits).toEqual([{ generation: 1, offsets: [{ topic: 't', partition: 0, offset: 2n }] }]);
    expect(committer.committed('t', 0)).toBe(2n);
  });
  it('tries again what could not be committed', async () => {
    const { commits, committer, ledger, answers } = setUp();
    ledger.receive(0n).end();
    answers(() => Promise.reject(new Error('broker away')));
    await expect(committer.commit()).rejects.toThrow('broker away');
    expect(committer.committed('t', 0)).toBe(0n);
    answers(() => Promise.resolve(true));
    await committer.commit();
    expect(commits).toHaveLength(2);
    expect(committer.committed('t', 0)).toBe(1n);
  });
  it('S1: commits nothing of an older generation after a rebalance', async () => {
    const { commits, committer, ledger } = setUp();
    const held = ledger.receive(0n);
    const fresh = new OffsetLedger(0n);
    committer.assign(2, [{ topic: 't', partition: 1, ledger: fresh }]);
    held.end();
    await committer.commit();
    expect(commits).toEqual([]);
    committer.revoke();
    fresh.receive(0n).end();
    await committer.commit();
    expect(commits).toEqual([]);
  });
  it('S1: a commit that was fenced counts as not committed', async () => {
    const { committer, ledger, answers } = setUp();
    ledger.receive(0n).end();
    answers(() => Promise.resolve(false));
    await committer.commit();
    expect(committer.committed('t', 0)).toBe(0n);
  });
});
