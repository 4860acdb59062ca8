import { describe, expect, it } from '@jest/globals';
import { kcatLine } from './kcat-lines.js';

const record = { topic: 't', partition: 2, offset: '17', timestamp: '1764550000000', key: null, value: null, headers: [] };

describe('kcatLine', () => {
  it('writes text as text, headers flat and repeated ones twice', () => {
    const headers = [
      ['__op', Buffer.from('c')],
      ['__op', Buffer.from('u')],
      ['none', null],
    ] as const;
    const line = kcatLine({ ...record, key: Buffer.from('{"id":1}'), value: Buffer.from('naïve 日本\n'), headers });
    expect(line).toBe(
      '{"topic":"t","partition":2,"offset":17,"tstype":"create","ts":1764550000000,"headers":["__op","c","__op","u","none",null],"key":"{\\"id\\":1}","payload":"naïve 日本\\n"}',
    );
  });
  it('writes bytes that are not text as base64, and null as null', () => {
    const line: unknown = JSON.parse(kcatLine({ ...record, key: Buffer.from([0xff, 0xfe]), value: null }));
    expect(line).toMatchObject({ key: null, key_b64: '//4=', payload: null });
    expect(line).not.toHaveProperty('payload_b64');
  });
});
