import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Corpus } from '../harness/corpus.js';
import type { ServerProcess } from '../harness/server-process.js';
import { deliverRecords } from './deliver-records.js';
import type { DeliverySummary, DemoStage } from './demo-stage.js';
import { mappingConfig, recordedPrefix, recordingFile } from './knowledge-base.js';

/** Recorded topics, delivered from files: nothing but Node is needed. */
export class RecordedStage implements DemoStage {
  readonly corpus: Corpus;
  readonly places: readonly string[];
  readonly #configFile: string;
  readonly #deadLetters: string;

  constructor(server: ServerProcess, corpus: Corpus, folder: string) {
    this.corpus = corpus;
    this.#configFile = join(folder, 'knowledge-base.json');
    this.#deadLetters = join(folder, 'dead-letters.jsonl');
    const json = 'org.apache.kafka.connect.json.JsonConverter';
    const config = {
      'key.converter': json,
      'value.converter': json,
      'ossian.url': server.url,
      'ossian.api.key': '${env:OSSIAN_API_KEY}',
      'ossian.corpus': corpus.name,
      'errors.deadletterqueue.topic.name': 'knowledge-base.dlq',
      ...mappingConfig(recordedPrefix),
    };
    writeFileSync(this.#configFile, JSON.stringify({ name: 'knowledge-base', config }, null, 2));
    rmSync(this.#deadLetters, { force: true });
    this.places = [
      `server        ${server.url} (data in ${folder})`,
      `connector     ${this.#configFile}`,
      `recordings    ${recordingFile('before.jsonl')} and after.jsonl, with the statements beside them`,
      `dead letters  ${this.#deadLetters}`,
    ];
  }

  deliverSnapshot(): Promise<DeliverySummary> {
    return this.#deliver('before.jsonl');
  }
  deliverChanges(): Promise<DeliverySummary> {
    return this.#deliver('after.jsonl');
  }
  replay(): Promise<DeliverySummary> {
    return this.#deliver('before.jsonl', 'after.jsonl');
  }

  #deliver(...names: ('before.jsonl' | 'after.jsonl')[]): Promise<DeliverySummary> {
    return deliverRecords(this.#configFile, names.map(recordingFile), this.#deadLetters);
  }
}
