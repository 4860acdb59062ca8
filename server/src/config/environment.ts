import { logLevels } from '@ossian/shared';
import leven from 'leven';
import { z } from 'zod';
import { ConfigurationError } from './configuration-error.js';

const whole = (name: string, minimum: number, maximum: number): z.ZodPipe<z.ZodString, z.ZodTransform<number, string>> =>
  z.string().transform((text, context) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    context.addIssue({ code: 'custom', message: `expected ${name} from ${minimum} to ${maximum}` });
    return z.NEVER;
  });
const webAddress = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' });
const postgresAddress = z.string().regex(/^postgres(ql)?:\/\//, 'expected postgres://USER:PASSWORD@HOST:PORT/DATABASE');
const notBlank = z.string();

/**
 * Every environment variable of the server: its form, its default as text, and what `--help` says of it. An empty one counts as not
 * set. Nothing else in the server reads the environment.
 */
export const environmentVariables = {
  HOST: { schema: notBlank, default: '127.0.0.1', description: 'address to listen on; 0.0.0.0 for all' },
  PORT: { schema: whole('a port', 0, 65_535), default: '8080', description: 'port to listen on; 0 takes a free one' },
  DATABASE_URL: {
    schema: postgresAddress,
    default: undefined,
    description: 'a Postgres with pgvector; unset: an embedded database in OSSIAN_DATA_DIR',
  },
  OSSIAN_DATA_DIR: { schema: notBlank, default: '.ossian', description: 'folder of the embedded database' },
  OSSIAN_BOOTSTRAP_KEY: {
    schema: z.string().min(16, 'expected at least 16 characters'),
    default: undefined,
    description: 'a bearer key that is accepted as an admin key, beside those that are stored',
  },
  OSSIAN_EMBEDDER: {
    schema: z.enum(['builtin'], { error: 'expected builtin' }),
    default: 'builtin',
    description: 'embedding model: builtin (all-MiniLM-L6-v2, no network)',
  },
  OSSIAN_ANSWERER: {
    schema: z.enum(['anthropic', 'extractive'], { error: 'expected anthropic or extractive' }),
    default: undefined,
    description: 'who writes answers: anthropic (default where ANTHROPIC_API_KEY is set) or extractive (default elsewhere)',
  },
  OSSIAN_ANTHROPIC_MODEL: { schema: notBlank, default: undefined, description: 'the Claude model that writes answers' },
  ANTHROPIC_API_KEY: { schema: notBlank, default: undefined, description: 'key for the anthropic answerer' },
  ANTHROPIC_BASE_URL: { schema: webAddress, default: undefined, description: "another address of Anthropic's Messages API" },
  OSSIAN_LINK_HOURS: {
    schema: whole('hours', 1, 87_600),
    default: '24',
    description: 'how long the link between the halves of a key change is kept once both have met',
  },
  OSSIAN_LOG_LEVEL: {
    schema: z.enum(logLevels, { error: `expected one of ${logLevels.join(', ')}` }),
    default: 'info',
    description: `what is logged, on stderr: ${logLevels.join(', ')}`,
  },
} as const;

type Variables = typeof environmentVariables;
type ValueOf<V extends { schema: z.ZodType; default: string | undefined }> = V['default'] extends string
  ? z.output<V['schema']>
  : z.output<V['schema']> | undefined;
/** The environment, checked; by the variables' own names. */
export type Environment = { readonly [Name in keyof Variables]: ValueOf<Variables[Name]> };

export interface ReadEnvironment {
  readonly environment: Environment;
  /** Variables that look like a slip of the pen. */
  readonly warnings: readonly string[];
}

/** @throws ConfigurationError that names every fault at once, never the values of secrets. */
export function readEnvironment(source: Readonly<Record<string, string | undefined>>): ReadEnvironment {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(environmentVariables)) {
    const text = source[name]?.trim() || variable.default;
    if (text === undefined) continue;
    const parsed = variable.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else faults.push(`${name}: ${parsed.error.issues[0]?.message ?? 'invalid'}`);
  }
  if (values['OSSIAN_ANSWERER'] === 'anthropic' && values['ANTHROPIC_API_KEY'] === undefined) {
    faults.push('OSSIAN_ANSWERER: anthropic needs ANTHROPIC_API_KEY');
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  return { environment: values as Environment, warnings: findSlips(Object.keys(source)) };
}

function findSlips(names: readonly string[]): string[] {
  const known = Object.keys(environmentVariables);
  return names
    .filter((name) => name.startsWith('OSSIAN_') && !known.includes(name))
    .flatMap((name) => {
      const near = known.map((other) => ({ other, distance: leven(name, other) })).sort((a, b) => a.distance - b.distance)[0];
      return near !== undefined && near.distance <= 3 ? [`${name} is not known: did you mean ${near.other}?`] : [];
    });
}

/** The part of `--help` that lists the variables. */
export function describeEnvironment(): string {
  const lines = Object.entries(environmentVariables).map(([name, variable]) => {
    const standard = variable.default === undefined ? '' : ` (${variable.default})`;
    return `  ${name.padEnd(24)}${variable.description}${standard}`;
  });
  return ['Environment:', ...lines].join('\n');
}
