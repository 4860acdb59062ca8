import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { readRecordFiles } from '../source/record-file.js';
import { connectorSettings } from '../testing/connector-settings.js';
import { rows } from '../testing/row-records.js';
import { PartitionWork } from './partition-work.js';
import { prepareSome } from './prepare-some.js';

const topic = 'app.public.documents';
const recording = fileURLToPath(new URL(`../../fixtures/debezium/json-envelope/${topic}.jsonl`, import.meta.url));

it('every recorded tombstone takes the source position that its delete carries, also when a batch begins between them', async () => {
  const records = [];
  for await (const record of readRecordFiles([recording])) records.push(record);
  const lsnOfDelete = new Map<bigint, string>();
  for (const { offset, value } of records) {
    const text = value === null ? '' : new TextDecoder().decode(value);
    if (text.includes('"op":"d"')) lsnOfDelete.set(offset, /"sequence":"\[[^\]]*\\"(\d+)\\"\]"/.exec(text)?.[1] ?? 'none');
  }
  expect(lsnOfDelete.size).toBeGreaterThanOrEqual(5);

  const settings = connectorSettings({ topics: topic, 'ossian.text.fields': 'body', 'ossian.unavailable.policy': 'keep' });
  const work = new PartitionWork({ topic, partition: 0, offset: 0n }, undefined);
  const ports = { now: () => 0, ended: () => undefined, missingColumns: () => undefined, more: () => undefined };
  const failed = (error: unknown): void => {
    throw error;
  };
  const found = new Map<bigint, unknown>();
  for (const record of records) {
    work.receive({ topic, partition: 0, records: [record], position: record.offset + 1n, end: record.offset + 1n });
    prepareSome([work], settings, { ...ports, failed });
    for (let item = work.takeOutgoing(); item !== undefined; item = work.takeOutgoing())
      if (item.input?.op === 'delete' && item.input.reason === 'tombstone')
        found.set(record.offset - 1n, item.input.position?.source_position);
  }
  expect(found).toEqual(lsnOfDelete);
});

it('bad records are held no further ahead than good ones: their bytes count, though their skips are small', () => {
  const dlq = { 'errors.tolerance': 'all', 'errors.deadletterqueue.topic.name': 'dlq', 'batch.max.bytes': '100000' };
  const settings = connectorSettings(dlq);
  const work = new PartitionWork({ topic: 't', partition: 0, offset: 0n }, undefined);
  const heavy = new TextEncoder().encode(JSON.stringify({ other: 'x'.repeat(50_000) }));
  const records = rows(100).map((record) => ({ ...record, value: heavy }));
  work.receive({ topic: 't', partition: 0, records, position: 100n, end: 100n });
  const ports = { now: () => 0, ended: () => undefined, missingColumns: () => undefined, more: () => undefined };
  prepareSome([work], settings, { ...ports, failed: () => undefined });
  // Up to four times batch.max.bytes, and the one record that goes over it.
  expect(work.outgoing.size).toBe(8);
  work.takeOutgoing();
  prepareSome([work], settings, { ...ports, failed: () => undefined });
  expect(work.outgoing.size).toBe(8);
});
