import { randomUUID } from 'node:crypto';
import type { EventInput } from '@ossian/shared';
import type { Clear } from '../../corpus/clear.js';
import { type DocumentState, noWaiting } from '../../corpus/document.js';
import type { KeyLink } from '../../corpus/key-link.js';
import { judgeEvent } from '../judge-event.js';
import { readEvent } from '../read-event.js';
import { type KnownEvent, WorkingSet } from '../working-set.js';
import type { Random } from './random.js';
import type { ScheduledBackend } from './schedule.js';

/** The rules without a database: what a batch leaves is what the next one loads. */
export class MemoryBackend implements ScheduledBackend {
  readonly #source: string;
  #documents: DocumentState[];
  #links: KeyLink[] = [];
  #clears: Clear[] = [];
  #known = new Map<string, KnownEvent>();
  rejected = 0;

  constructor(source: string) {
    this.#source = source;
    this.#documents = [0, 1, 2, 3, 4].map((key) => emptyDocument(`id=${key}`));
  }

  apply(events: readonly EventInput[], crash: boolean): Promise<void> {
    const set = new WorkingSet({
      sourceIds: new Map([[this.#source, '1']]),
      documents: this.#documents,
      links: this.#links,
      clears: new Map([['1', this.#clears]]),
      known: this.#known,
    });
    const known = new Map(this.#known);
    events.forEach((sent, index) => {
      const { event } = readEvent(sent, index);
      const judgement = judgeEvent(set, event!, new Date());
      if (judgement.outcome === 'rejected') this.rejected++;
      const now = set.known(event!.id);
      if (now !== undefined) known.set(event!.id, now);
    });
    if (crash) return Promise.resolve();
    this.#documents = this.#documents.map((document) => set.document('1', document.key));
    this.#links = set.links();
    this.#clears = [...this.#clears, ...set.newClears.map(({ clear }) => clear)];
    this.#known = known;
    return Promise.resolve();
  }

  pruneIds(random: Random): Promise<void> {
    this.#known = new Map([...this.#known].filter(() => random.chance(0.5)));
    return Promise.resolve();
  }

  documents(): ReturnType<ScheduledBackend['documents']> {
    const live = this.#documents.filter((document) => document.live);
    return Promise.resolve(
      new Map(
        live.map((document) => {
          const { title, sections, metadata } = document.parts!;
          const texts = Object.fromEntries(sections.map((section) => [section.name, section.text]));
          const behind = document.waiting.size > 0 || document.mark !== null;
          return [document.key, { title, sections: texts, metadata, behind }];
        }),
      ),
    );
  }
}

function emptyDocument(key: string): DocumentState {
  return {
    id: randomUUID(),
    sourceId: '1',
    key,
    live: false,
    blank: false,
    parts: null,
    hashes: null,
    waiting: noWaiting,
    incompleteSince: null,
    mark: null,
    position: null,
  };
}
