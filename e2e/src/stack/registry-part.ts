import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SupervisedProcess } from '../processes/supervised-process.js';
import { registryFolder } from './downloads.js';
import { freePort } from './ports.js';
import { findJava } from './requirements.js';
import type { PartContext, StartablePart } from './running-part.js';
import { StackError } from './stack-error.js';

/** Paths of the registry's two interfaces: the Confluent one, and its own, which the Avro converter is given. */
export const confluentPath = '/apis/ccompat/v7';
export const nativePath = '/apis/registry/v2';

/** Apicurio Registry, in memory. The address is its root. */
export async function schemaRegistry(context: PartContext): Promise<StartablePart> {
  const folder = await registryFolder(context.progress);
  const jar = readdirSync(folder).find((name) => name.endsWith('-runner.jar'));
  if (jar === undefined) throw new StackError(`${folder} has no program in it: delete the folder, it is downloaded again`);
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const logFile = join(context.runFolder, 'log', 'schema-registry.log');
  const http = ['-Dquarkus.http.host=127.0.0.1', `-Dquarkus.http.port=${port}`, '-Dquarkus.log.level=WARN'];
  const start = async (): Promise<SupervisedProcess> => {
    const args = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...http, '-jar', join(folder, jar)];
    const process = await context.supervisor.spawn('schema-registry', {
      command: findJava(),
      args,
      cwd: context.runFolder,
      logFile,
    });
    await process.until(async () => (await fetch(`${address}${confluentPath}/subjects`)).ok, 60_000);
    return process;
  };
  return { address, logFile, start, stopSignal: 'SIGTERM' };
}
