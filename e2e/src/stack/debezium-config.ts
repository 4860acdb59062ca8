import { nativePath } from './registry-part.js';

/** How Debezium writes its records. Each form is one that people run, and each has a folder of recordings of that name. */
export type RecordForm = 'json-envelope' | 'json-schema-envelope' | 'flat-rewrite' | 'flat-tombstone' | 'avro-envelope';

export type ConnectorConfig = Record<string, string>;

export interface DebeziumOptions {
  form: RecordForm;
  /** postgres:// URL of the source database. */
  databaseUrl: string;
  /** Topics are named PREFIX.SCHEMA.TABLE; slot and publication are named after it too. */
  prefix: string;
  /** "public.articles", … */
  tables: readonly string[];
  /** Partitions of the topics that the connector makes. Default 1. */
  partitions?: number;
  /** Needed for avro-envelope: the registry's root address. */
  registry?: string;
  /** Settings on top of, or instead of, these. */
  overrides?: ConnectorConfig;
}

/** Name of the signal table, which the source database has to have for incremental snapshots. */
export const signalTable = 'public.debezium_signal';
export const signalTableSql = `create table if not exists ${signalTable} (id varchar(64) primary key, type varchar(32) not null, data varchar(2048))`;

/** A complete configuration of Debezium's Postgres connector for one source database. */
export function debeziumConfig(options: DebeziumOptions): ConnectorConfig {
  const url = new URL(options.databaseUrl);
  const identifier = options.prefix.toLowerCase().replaceAll(/[^a-z0-9_]/g, '_');
  return {
    'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
    'tasks.max': '1',
    'database.hostname': url.hostname,
    'database.port': url.port,
    'database.user': url.username,
    'database.password': url.password || 'postgres',
    'database.dbname': url.pathname.slice(1),
    'topic.prefix': options.prefix,
    'plugin.name': 'pgoutput',
    'slot.name': identifier,
    'publication.name': identifier,
    'publication.autocreate.mode': 'filtered',
    'table.include.list': options.tables.join(','),
    'snapshot.mode': 'initial',
    'tombstones.on.delete': 'true',
    // Debezium skips truncates unless told not to skip anything.
    'skipped.operations': 'none',
    'heartbeat.interval.ms': '2000',
    'poll.interval.ms': '50',
    'provide.transaction.metadata': 'true',
    'signal.data.collection': signalTable,
    'incremental.snapshot.chunk.size': '64',
    'topic.creation.default.replication.factor': '1',
    'topic.creation.default.partitions': String(options.partitions ?? 1),
    ...formSettings(options.form, options.registry),
    ...options.overrides,
  };
}

function formSettings(form: RecordForm, registry: string | undefined): ConnectorConfig {
  const unwrap = { transforms: 'unwrap', 'transforms.unwrap.type': 'io.debezium.transforms.ExtractNewRecordState' };
  switch (form) {
    case 'json-envelope':
      return jsonConverters(false);
    case 'json-schema-envelope':
      return jsonConverters(true);
    case 'flat-rewrite':
      return {
        ...jsonConverters(false),
        ...unwrap,
        'transforms.unwrap.delete.tombstone.handling.mode': 'rewrite',
        'transforms.unwrap.add.fields': 'op,source.ts_ms,source.lsn',
      };
    case 'flat-tombstone':
      // A flattened delete is a bare tombstone: only headers survive on it.
      return { ...jsonConverters(false), ...unwrap, 'transforms.unwrap.add.headers': 'op,source.ts_ms,source.lsn' };
    case 'avro-envelope':
      return { 'schema.name.adjustment.mode': 'avro', 'field.name.adjustment.mode': 'avro', ...avroConverters(registry ?? '') };
  }
}

function jsonConverters(schemas: boolean): ConnectorConfig {
  const name = 'org.apache.kafka.connect.json.JsonConverter';
  const enable = String(schemas);
  return {
    'key.converter': name,
    'key.converter.schemas.enable': enable,
    'value.converter': name,
    'value.converter.schemas.enable': enable,
  };
}

function avroConverters(registry: string): ConnectorConfig {
  const settings = {
    '': 'io.apicurio.registry.utils.converter.AvroConverter',
    '.apicurio.registry.url': `${new URL(registry).origin}${nativePath}`,
    '.apicurio.registry.auto-register': 'true',
    '.apicurio.registry.auto-register.if-exists': 'RETURN_OR_UPDATE',
    '.apicurio.registry.as-confluent': 'true',
    '.apicurio.registry.headers.enabled': 'false',
    '.apicurio.registry.use-id': 'contentId',
  };
  const both = ['key', 'value'].flatMap((side) =>
    Object.entries(settings).map(([name, value]) => [`${side}.converter${name}`, value]),
  );
  return Object.fromEntries(both) as ConnectorConfig;
}
