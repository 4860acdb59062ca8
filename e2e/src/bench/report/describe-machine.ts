import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Scene } from '../../harness/scene.js';
import { addressesFromEnvironment } from '../../harness/scene.js';
import pg from 'pg';

/** Where the figures come from: processor, memory and versions, each line ready to print. */
export async function describeMachine(scene: Scene): Promise<string[]> {
  const { databaseUrl, sourceUrl } = addressesFromEnvironment();
  const [backend, source] = [await postgresVersion(databaseUrl), await postgresVersion(sourceUrl)];
  const kafka = ((await scene.connect.request('GET', '/')) as { version: string }).version;
  const plugins = (await scene.connect.request('GET', '/connector-plugins')) as { class: string; version: string }[];
  const debezium = plugins.find(({ class: name }) => name.includes('debezium'))?.version ?? 'unknown';
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `machine   ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${memory} GB, ${process.platform} ${process.arch}`,
    `versions  ossian ${packageVersion('@ossian/server')}, Node ${process.versions.node}, Kafka Connect ${kafka}, Debezium ${debezium},`,
    `          Postgres ${backend} under the server, ${source} as the source, PGlite ${packageVersion('@electric-sql/pglite')}, KafkaJS ${packageVersion('kafkajs')}`,
  ];
}

/** The load average of the last 1, 5 and 15 minutes, as `uptime` shows it. */
export function describeLoad(): string {
  return loadavg()
    .map((load) => load.toFixed(2))
    .join(' ');
}

async function postgresVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? 'unknown';
  } finally {
    await client.end();
  }
}

/** Of what is installed beside this package; no code of it is loaded. */
function packageVersion(name: string): string {
  const file = new URL(`../../../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
