import { expect, it } from '@jest/globals';
import { runProgram } from '../harness/run-program.js';

/** What the demo prints of one question. */
function answerTo(question: string, output: string): string[] {
  return output
    .split(/\n(?=\? |==|\()/)
    .filter((part) => part.startsWith(`? ${question}`))
    .map((part) => part.replaceAll(/\s+/g, ' '));
}

it('the demo answers from the snapshot, follows every kind of change, and a replay changes nothing', async () => {
  const { code, stdout, stderr } = await runProgram('demo', [], {}, 170_000);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  // Expected values come from the statements of the recording.
  const [snapshot, changed, replayed] = answerTo('How long are audit logs kept?', stdout);
  expect(snapshot).toMatch(/kept for 180 days.*\[1\] How long audit logs are kept \(fernhill\.public\.articles id=1\)/);
  expect(changed).toMatch(/kept for 90 days.*\[1\] How long audit logs are kept/);
  expect(changed).not.toContain('180');
  expect(replayed).toBe(changed);
  expect(answerTo('What is the capital of Mongolia?', stdout)[0]).toContain('I found nothing in this corpus');
  const relay = answerTo('What does the Relay Mini protect?', stdout);
  expect(relay[0]).toContain('Pairing a Relay Mini over Bluetooth');
  expect(relay[1]).not.toContain('Pairing a Relay Mini over Bluetooth');
  expect(answerTo('How fast does a loan appliance come to Germany?', stdout)[0]).toContain('articles id=138');
  expect(answerTo('What does a tape bridge cost', stdout)[0]).toContain('behind its row since');
  expect(stdout).toMatch(/63 records: 63 applied, 0 ignored, 0 dead-lettered/);
  expect(stdout).toMatch(/60 documents .*announcements 2,.*articles 39 \(1 behind\),.*tickets 19/);
  expect(stdout).toMatch(/80 records: 79 duplicate, 0 ignored, 1 dead-lettered\n {2}the corpus is as it was/);
}, 180_000);

it('the demo says how it is used, and what an option that it does not have is', async () => {
  expect(await runProgram('demo', ['--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/--keep[^]*--live/) as unknown,
  });
  expect(await runProgram('demo', ['--nonsense'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--nonsense[^]*Usage/) as unknown,
  });
});
