import { type ConfigurationFile, readConfigurationFile } from '../config/configuration-file.js';
import { ConfigurationError, type ConfigurationFault } from '../config/configuration-error.js';

/** Where the worker's status is served. */
export interface Listener {
  readonly host: string;
  readonly port: number;
}
export interface WorkerSettings {
  readonly listener: Listener;
  /** Whether the file names it: then it must be had; the default one is done without where another process has it. */
  readonly isListenerConfigured: boolean;
}

/** Connect's default port; on loopback, since nothing guards it. */
const defaultListener: Listener = { host: '127.0.0.1', port: 8083 };

/**
 * Reads a worker file: `listeners=http://HOST:PORT` (Connect's key; the first address is used).
 *
 * @throws ConfigurationError naming every fault.
 */
export function readWorkerFile(file: ConfigurationFile | undefined): WorkerSettings {
  if (file === undefined) return { listener: defaultListener, isListenerConfigured: false };
  const { entries, faults } = readConfigurationFile(file);
  const found: ConfigurationFault[] = [...faults];
  for (const key of entries.keys())
    if (key !== 'listeners') found.push({ key, message: `${key} is not a key of a worker file: it knows listeners.` });
  const text = entries.get('listeners')?.split(',')[0]?.trim();
  const listener = text === undefined ? defaultListener : readListener(text);
  if (listener === undefined) found.push({ key: 'listeners', message: `listeners=${text} is not http://HOST:PORT.` });
  if (found.length > 0 || listener === undefined) throw new ConfigurationError(file.path, found);
  return { listener, isListenerConfigured: text !== undefined };
}

function readListener(text: string): Listener | undefined {
  const match = /^http:\/\/(\[[0-9a-f:]+\]|[^:/]*):(\d{1,5})\/?$/i.exec(text);
  const port = Number(match?.[2]);
  // An empty host is every interface in Connect.
  return match !== null && port < 65_536 ? { host: match[1]?.replaceAll(/[[\]]/g, '') || '0.0.0.0', port } : undefined;
}
