import { describe, expect, it } from '@jest/globals';
import { describeError } from './logger.js';

describe('describeError', () => {
  it('S10: keeps of a database error the code and the names, and nothing that quotes a row', () => {
    const error = Object.assign(new Error('invalid input syntax for type integer: "secret"'), {
      name: 'error',
      severity: 'ERROR',
      code: '22P02',
      detail: 'Failing row contains (secret).',
      where: "unnamed portal parameter $1 = 'secret'",
      table: 'documents',
      constraint: 'documents_key',
    });
    const described = describeError(error);
    expect(described).toMatchObject({ code: '22P02', message: 'SQLSTATE 22P02, documents, documents_key' });
    expect(described.stack).toMatch(/logger\.test/);
    expect(JSON.stringify(described)).not.toContain('secret');
    expect(JSON.stringify(describeError(new TypeError('outer', { cause: error })))).not.toContain('secret');
  });

  it('drops what libraries hang on an error', () => {
    const error = Object.assign(new TypeError('fetch failed'), {
      code: 'ECONNREFUSED',
      config: { headers: { authorization: 'secret' } },
    });
    expect(describeError(error)).toEqual({
      type: 'TypeError',
      code: 'ECONNREFUSED',
      message: 'fetch failed',
      stack: error.stack,
    });
    expect(describeError('text')).toEqual({ type: 'string', message: 'text' });
  });
});
