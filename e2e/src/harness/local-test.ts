import { it } from '@jest/globals';
import { LocalScene, type Storage } from './local-scene.js';
import { runScene } from './run-scene.js';

const hasPostgres = process.env['OSSIAN_TEST_DATABASE_URL'] !== undefined;
const stackRequired = process.env['OSSIAN_STACK'] === 'required';

export interface LocalTestOptions {
  /** It needs the stack's Postgres: without it the test is skipped, or fails with OSSIAN_STACK=required. */
  postgres?: boolean;
  /** Why it cannot run here: then it is skipped, with the reason in its title. */
  skip?: string | undefined;
  milliseconds?: number;
}

/** One whole-system test that needs no Kafka, with a scene of its own; when it fails it shows the ends of all logs and keeps them. */
export function localTest(title: string, run: (scene: LocalScene) => Promise<void>, options: LocalTestOptions = {}): void {
  const { postgres = false, skip, milliseconds = 180_000 } = options;
  const test = skip === undefined && (!postgres || hasPostgres || stackRequired) ? it : it.skip;
  test(skip === undefined ? title : `${title} [${skip}]`, () => runScene(() => LocalScene.open(), run), milliseconds);
}

/** The test once on the embedded database and once on Postgres. */
export function localTestOnEachStorage(title: string, run: (scene: LocalScene, storage: Storage) => Promise<void>): void {
  localTest(`${title} (embedded)`, (scene) => run(scene, 'embedded'));
  localTest(`${title} (postgres)`, (scene) => run(scene, 'postgres'), { postgres: true });
}
