import { createLogger } from '@ossian/shared';
import type { Command } from 'commander';
import { loadConnector } from '../config/load-connector.js';
import { FatalError } from '../errors/fatal-error.js';
import { type GroupOffsets, withGroupOffsets } from '../source/group-offsets.js';
import type { PartitionState } from '../source/kafka-offsets.js';
import { logLevel } from './log-level.js';
import { type OffsetMove, parseTarget, planMoves } from './offsets/target-offsets.js';

interface OffsetsOptions {
  readonly config: string;
  readonly topic?: string;
  readonly partition?: string;
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `offsets list|set|reset`: what the connector's group has committed, and where it goes on. */
export function offsetsCommand(program: Command): void {
  const offsets = program
    .command('offsets')
    .description("show or move what the connector's consumer group has committed")
    .addHelpText('after', help);
  const add = (name: string, description: string): Command =>
    offsets
      .command(name)
      .description(description)
      .requiredOption('--config <file>', 'the connector, a .properties or JSON file')
      .option('--topic <topic>', 'only this topic')
      .option('--partition <number>', 'only this partition (with --topic)')
      .option('--json', 'print JSON Lines');
  add('list', 'show committed offsets, the log and the lag').action((options: OffsetsOptions) => use(options, list));
  const moves = [
    add('set', 'go on at an offset or a time').requiredOption('--to <where>', where),
    add('reset', 'go back to the beginning').option('--to <where>', where, 'earliest'),
  ];
  for (const command of moves) {
    command
      .option('--dry-run', 'say what would be replayed, and change nothing')
      .action((options: OffsetsOptions) => use(options, move));
  }
}

const where = 'earliest, latest, an offset (42), a time (2026-03-01T08:00:00Z) or @milliseconds';
const help = `
Offsets move only while no sink runs for the connector. A replay changes only what should change: what is already there
answers "duplicate", "unchanged" or "stale".

Examples:
  $ ossian-sink offsets list --config articles.properties
  $ ossian-sink offsets reset --config articles.properties --dry-run
  $ ossian-sink offsets set --config articles.properties --topic shop.public.articles --partition 0 --to 42`;

type Action = (group: GroupOffsets, states: readonly PartitionState[], options: OffsetsOptions) => Promise<void>;

async function use(options: OffsetsOptions, action: Action): Promise<void> {
  if (options.partition !== undefined && (options.topic === undefined || !/^\d+$/.test(options.partition))) {
    throw new FatalError('command', '--partition takes a number, and needs --topic');
  }
  const settings = loadConnector(options.config);
  // What matters is in the command's own words; the client's log only where it is asked for.
  const logger = createLogger('ossian-sink', process.env['OSSIAN_LOG_LEVEL'] === undefined ? 'silent' : logLevel());
  await withGroupOffsets(settings, logger, async (group) => action(group, chosen(await group.states(), options), options));
}

function chosen(states: readonly PartitionState[], { topic, partition }: OffsetsOptions): readonly PartitionState[] {
  const found = states.filter(
    (state) =>
      (topic === undefined || state.topic === topic) && (partition === undefined || state.partition === Number(partition)),
  );
  if (found.length > 0) return found;
  const wanted = `${topic ?? 'the topics'}${partition === undefined ? '' : `-${partition}`}`;
  throw new FatalError(
    'command',
    `the connector reads no partition ${wanted}; it reads ${states.map((s) => `${s.topic}-${s.partition}`).join(', ')}`,
  );
}

async function list(group: GroupOffsets, states: readonly PartitionState[], { json }: OffsetsOptions): Promise<void> {
  const members = await group.members();
  const rows = states.map(({ topic, partition, committed, log }) => ({
    topic,
    partition,
    committed: committed === undefined ? null : String(committed),
    low: String(log.low),
    end: String(log.high),
    lag: String(log.high - (committed ?? log.low)),
  }));
  if (json === true) return print(rows.map((row) => JSON.stringify(row)));
  const holders = members.map(({ clientId, host }) => `${clientId} (${host})`).join(', ');
  print([
    `Group ${group.groupId}: ${members.length === 0 ? 'no sink runs' : `held by ${holders}`}`,
    ...rows.map(
      (row) =>
        `  ${row.topic}-${row.partition}  committed ${row.committed ?? 'none'}  log ${row.low} to ${row.end}  lag ${row.lag}`,
    ),
  ]);
}

async function move(group: GroupOffsets, states: readonly PartitionState[], options: OffsetsOptions): Promise<void> {
  const target = parseTarget(options.to ?? 'earliest');
  if (target.kind === 'offset' && states.length > 1) {
    throw new FatalError('command', 'an offset is of one partition: say which with --topic and --partition');
  }
  const topics = target.kind === 'time' ? [...new Set(states.map(({ topic }) => topic))] : [];
  const atTime =
    target.kind === 'time' ? (await Promise.all(topics.map((topic) => group.offsetsAt(topic, target.at)))).flat() : [];
  const moves = planMoves(states, target, atTime);
  const members = await group.members();
  if (options.dryRun !== true) {
    if (members.length > 0) throw active(group.groupId, members);
    await group.set(moves);
  }
  if (options.json === true) return print(moves.map((one) => JSON.stringify(asJson(one))));
  print(moves.map((one) => describeMove(one, options.dryRun === true)));
  if (options.dryRun === true && members.length > 0) print([`Note: ${active(group.groupId, members).message}`]);
}

function active(groupId: string, members: readonly { clientId: string; host: string }[]): FatalError {
  const holders = members.map(({ clientId, host }) => `${clientId} on ${host}`).join(', ');
  return new FatalError('group_active', `group ${groupId} is active, held by ${holders}: stop these sinks first`);
}

function describeMove({ topic, partition, from, offset, replayed, passedOver }: OffsetMove, dryRun: boolean): string {
  const moved = dryRun ? 'would go' : 'goes';
  const effect =
    replayed > 0n
      ? `up to ${replayed} records are replayed`
      : passedOver > 0n
        ? `${passedOver} offsets are passed over`
        : 'nothing changes';
  return `${topic}-${partition} ${moved} from ${from ?? 'none'} to ${offset}: ${effect}`;
}

function asJson({ topic, partition, from, offset, replayed, passedOver }: OffsetMove): Record<string, unknown> {
  return {
    topic,
    partition,
    from: from === undefined ? null : String(from),
    to: String(offset),
    replayed: String(replayed),
    passed_over: String(passedOver),
  };
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
