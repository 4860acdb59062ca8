import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration-error.js';
import { describeEnvironment, environmentVariables, readEnvironment } from './environment.js';

describe('readEnvironment', () => {
  it('has the documented defaults', () => {
    expect(readEnvironment({}).environment).toEqual({
      HOST: '127.0.0.1',
      PORT: 8080,
      OSSIAN_DATA_DIR: '.ossian',
      OSSIAN_EMBEDDER: 'builtin',
      OSSIAN_LINK_HOURS: 24,
      OSSIAN_LOG_LEVEL: 'info',
    });
  });

  it('names every fault at once, and never a secret', () => {
    const source = {
      PORT: '80a',
      DATABASE_URL: 'mysql://root:secret@db/x',
      OSSIAN_BOOTSTRAP_KEY: 'short-secret',
      OSSIAN_EMBEDDER: 'word2vec',
      OSSIAN_ANSWERER: 'oracle',
      ANTHROPIC_BASE_URL: 'ftp://x',
      OSSIAN_LOG_LEVEL: 'loud',
      OSSIAN_LINK_HOURS: '0',
    };
    let faults: readonly string[] = [];
    try {
      readEnvironment(source);
    } catch (error) {
      if (ConfigurationError.is(error)) faults = error.faults;
    }
    expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual(Object.keys(source).sort());
    expect(faults.join()).not.toContain('secret');
  });

  it('S9: refuses the anthropic answerer without its key', () => {
    expect(() => readEnvironment({ OSSIAN_ANSWERER: 'anthropic' })).toThrow(/ANTHROPIC_API_KEY/);
    expect(readEnvironment({ OSSIAN_ANSWERER: 'anthropic', ANTHROPIC_API_KEY: 'k' }).environment.OSSIAN_ANSWERER).toBe(
      'anthropic',
    );
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readEnvironment({ PORT: ' ', DATABASE_URL: '' }).environment).toMatchObject({ PORT: 8080 });
  });

  it('warns of what looks like a slip, and of nothing else', () => {
    const source = { OSSIAN_DATADIR: 'x', OSSIAN_LOG_LEVL: 'x', OSSIAN_TEST_DATABASE_URL: 'x', OSSIAN_URL: 'x', PATH: 'x' };
    expect(readEnvironment(source).warnings).toEqual([
      'OSSIAN_DATADIR is not known: did you mean OSSIAN_DATA_DIR?',
      'OSSIAN_LOG_LEVL is not known: did you mean OSSIAN_LOG_LEVEL?',
    ]);
  });

  it('describes every variable', () => {
    for (const name of Object.keys(environmentVariables))
      expect(describeEnvironment()).toMatch(new RegExp(`^  ${name} .{10,}`, 'm'));
  });
});
