import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SupervisedProcess } from '../processes/supervised-process.js';
import { debeziumFolder, kafkaFolder } from './downloads.js';
import { javaProgram } from './java.js';
import { freePort } from './ports.js';
import type { PartContext, StartablePart } from './running-part.js';

/**
 * A Connect worker with Debezium's Postgres connector.
 *
 * @param bootstrap the broker's address; awaited as late as possible, so that both start at the same time.
 * @param morePlugins further folders for plugin.path.
 */
export async function connectWorker(
  context: PartContext,
  bootstrap: Promise<string>,
  morePlugins: readonly string[],
): Promise<StartablePart> {
  const [jars, debezium] = [await kafkaFolder(context.progress), await debeziumFolder(context.progress)];
  const address = `http://127.0.0.1:${await freePort()}`;
  const properties = join(context.runFolder, 'connect.properties');
  const logFile = join(context.runFolder, 'log', 'connect.log');
  writeFileSync(properties, workerProperties(await bootstrap, address, [debezium, ...morePlugins]));
  const start = async (): Promise<SupervisedProcess> => {
    const program = javaProgram('org.apache.kafka.connect.cli.ConnectDistributed', jars, logFile, 512, [properties]);
    const output = join(context.runFolder, 'log', 'connect.out.log');
    const process = await context.supervisor.spawn('connect', { ...program, cwd: context.runFolder, logFile: output });
    await process.until(async () => (await fetch(`${address}/connectors`)).ok, 120_000, [logFile]);
    return process;
  };
  return { address, logFile, start, stopSignal: 'SIGTERM' };
}

function workerProperties(bootstrap: string, address: string, plugins: readonly string[]): string {
  return `bootstrap.servers=${bootstrap}
group.id=connect-worker
listeners=${address}
plugin.path=${plugins.join(',')}
plugin.discovery=service_load
config.storage.topic=_connect_configs
config.storage.replication.factor=1
offset.storage.topic=_connect_offsets
offset.storage.replication.factor=1
offset.storage.partitions=1
status.storage.topic=_connect_status
status.storage.replication.factor=1
status.storage.partitions=1
offset.flush.interval.ms=250
scheduled.rebalance.max.delay.ms=0
key.converter=org.apache.kafka.connect.json.JsonConverter
key.converter.schemas.enable=false
value.converter=org.apache.kafka.connect.json.JsonConverter
value.converter.schemas.enable=false
`;
}
