import { createRequire } from 'node:module';
import { compress as zstdCompress, decompress as zstdDecompress, init as zstdInit } from '@bokuweb/zstd-wasm';
import type { Logger } from '@ossian/shared';
import kafkajs, { type Admin, type Batch, type Consumer, type KafkaMessage, type Message, type Producer } from 'kafkajs';
import { compressFrame, decompressFrame } from 'lz4-napi';
import { logKafkaEntry } from './kafka-log.js';
import type { KafkaOptions } from './kafka-options.js';

// The only file that imports KafkaJS: it is unmaintained, and who replaces it begins here.
export type { Admin, Batch, Consumer, KafkaMessage, Message, Producer };

interface Codec {
  compress(encoder: { buffer: Buffer }): Promise<Buffer>;
  decompress(buffer: Buffer): Promise<Buffer>;
}
const snappy = createRequire(import.meta.url)('kafkajs-snappy') as () => Codec;

/** KafkaJS brings gzip only; without a codec a compressed batch ends the consumer. */
function registerCodecs(): void {
  const { CompressionCodecs, CompressionTypes } = kafkajs;
  const lz4: Codec = { compress: ({ buffer }) => compressFrame(buffer), decompress: (buffer) => decompressFrame(buffer) };
  let ready: Promise<void> | undefined;
  const zstd: Codec = {
    compress: async ({ buffer }) => {
      await (ready ??= zstdInit());
      return Buffer.from(zstdCompress(buffer, 3));
    },
    decompress: async (buffer) => {
      await (ready ??= zstdInit());
      return Buffer.from(zstdDecompress(buffer));
    },
  };
  CompressionCodecs[CompressionTypes.Snappy] = snappy;
  CompressionCodecs[CompressionTypes.LZ4] = () => lz4;
  CompressionCodecs[CompressionTypes.ZSTD] = () => zstd;
}
registerCodecs();

export interface KafkaClient {
  readonly options: KafkaOptions;
  consumer(): Consumer;
  admin(): Admin;
  producer(): Producer;
}

/** A client by the options. `retries` is how often KafkaJS tries again by itself before it throws. */
export function createKafkaClient(options: KafkaOptions, logger: Logger, retries = 5): KafkaClient {
  const retry = { retries, initialRetryTime: 200, maxRetryTime: 5_000 };
  const kafka = new kafkajs.Kafka({
    brokers: options.brokers,
    clientId: options.clientId,
    connectionTimeout: options.connectionTimeout,
    requestTimeout: options.requestTimeout,
    ...(options.ssl === undefined ? {} : { ssl: options.ssl }),
    ...(options.sasl === undefined ? {} : { sasl: options.sasl }),
    retry,
    logLevel: kafkajs.logLevel.WARN,
    logCreator: () => (entry) => logKafkaEntry(logger, entry),
  });
  return {
    options,
    consumer: () =>
      kafka.consumer({
        ...options.consumer,
        groupId: options.groupId,
        metadataMaxAge: options.metadataMaxAge,
        allowAutoTopicCreation: false,
        // A crash ends the consumer; who made it decides when to begin again.
        retry: { ...retry, restartOnFailure: () => Promise.resolve(false) },
      }),
    admin: () => kafka.admin({ retry }),
    producer: () =>
      kafka.producer({ allowAutoTopicCreation: false, createPartitioner: kafkajs.Partitioners.DefaultPartitioner, retry }),
  };
}
