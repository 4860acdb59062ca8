import { spawnSync } from 'node:child_process';
import { StackError } from './stack-error.js';

const oldestJava = 17;

function firstThatRuns(candidates: readonly string[], args: readonly string[]): { command: string; output: string } | undefined {
  for (const command of candidates) {
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status === 0) return { command, output: stdout + stderr };
  }
  return undefined;
}

/** The java command, 17 or newer: JAVA_HOME's where that is set, else the one on the PATH. */
export function findJava(): string {
  const home = process.env['JAVA_HOME'];
  const found = firstThatRuns([...(home === undefined ? [] : [`${home}/bin/java`]), 'java'], ['-version']);
  const version = Number(/version "(?:1\.)?(\d+)/.exec(found?.output ?? '')?.[1] ?? 0);
  if (found !== undefined && version >= oldestJava) return found.command;
  const have = found === undefined ? 'no java was found' : `the java that was found is version ${version}`;
  throw new StackError(
    `Kafka needs Java ${oldestJava} or newer, and ${have}. Install it (Debian, Ubuntu: apt-get install openjdk-17-jre-headless; ` +
      `macOS: brew install openjdk@17), or point JAVA_HOME at one.`,
  );
}

export function findMaven(): string {
  const found = firstThatRuns(['mvn'], ['-v']);
  if (found !== undefined) return found.command;
  throw new StackError(
    'Kafka and Debezium are downloaded with Maven, and no mvn was found. Install it (Debian, Ubuntu: apt-get install maven; macOS: brew install maven).',
  );
}

export function findPython(): string {
  const found = firstThatRuns(['python3', 'python'], ['--version']);
  if (found !== undefined) return found.command;
  throw new StackError(
    'Postgres with pgvector is downloaded and unpacked with Python 3, and no python3 was found. Install it (Debian, Ubuntu: apt-get install python3 python3-pip; macOS: brew install python).',
  );
}

/** A python whose pip runs. */
export function findPip(): string {
  const python = findPython();
  if (firstThatRuns([python], ['-m', 'pip', '--version']) !== undefined) return python;
  throw new StackError(
    `Postgres with pgvector is downloaded with pip, and ${python} has none. Install it (Debian, Ubuntu: apt-get install python3-pip; elsewhere: ${python} -m ensurepip).`,
  );
}
