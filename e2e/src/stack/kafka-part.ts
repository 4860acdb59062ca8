import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import type { SupervisedProcess } from '../processes/supervised-process.js';
import { kafkaFolder } from './downloads.js';
import { javaProgram } from './java.js';
import { freePort } from './ports.js';
import { runCommand } from './run-command.js';
import type { PartContext, StartablePart } from './running-part.js';

const clusterId = '4L6g3nShT-eMCtK--X86sw';

/** One broker and controller in one process. One replica of everything and few partitions, so that it starts fast. */
export async function kafkaBroker(context: PartContext): Promise<StartablePart> {
  const jars = await kafkaFolder(context.progress);
  const address = `127.0.0.1:${await freePort()}`;
  const properties = join(context.runFolder, 'kafka.properties');
  const logFile = join(context.runFolder, 'log', 'kafka.log');
  writeFileSync(properties, brokerProperties(address, `127.0.0.1:${await freePort()}`, join(context.runFolder, 'kafka')));
  await format(jars, properties, context);
  const start = async (): Promise<SupervisedProcess> => {
    const program = javaProgram('kafka.Kafka', jars, logFile, 512, [properties]);
    const output = join(context.runFolder, 'log', 'kafka.out.log');
    const process = await context.supervisor.spawn('kafka', { ...program, cwd: context.runFolder, logFile: output });
    await process.until(() => brokerAnswers(address), 60_000, [logFile]);
    return process;
  };
  return { address, logFile, start, stopSignal: 'SIGTERM' };
}

async function format(jars: string, properties: string, context: PartContext): Promise<void> {
  if (existsSync(join(context.runFolder, 'kafka', 'meta.properties'))) return;
  const logFile = join(context.runFolder, 'log', 'kafka-format.log');
  const program = javaProgram('kafka.tools.StorageTool', jars, logFile, 256, ['format', '-t', clusterId, '-c', properties]);
  await runCommand(program.command, program.args, { doing: 'making the data folder of kafka', logFile });
}

async function brokerAnswers(address: string): Promise<boolean> {
  const kafka = new Kafka({
    clientId: 'stack',
    brokers: [address],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    connectionTimeout: 1000,
  });
  const admin = kafka.admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).controller !== null;
  } finally {
    await admin.disconnect();
  }
}

function brokerProperties(broker: string, controller: string, data: string): string {
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@${controller}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://${broker},CONTROLLER://${controller}
advertised.listeners=PLAINTEXT://${broker}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=${data}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
share.coordinator.state.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
# a member that a test kills is to be noticed soon
group.min.session.timeout.ms=500
auto.create.topics.enable=true
num.partitions=1
# tests of retention want quick deletes
log.retention.check.interval.ms=1000
log.segment.delete.delay.ms=500
log.initial.task.delay.ms=500
log.cleaner.dedupe.buffer.size=4194304
num.network.threads=2
num.io.threads=2
background.threads=2
`;
}
