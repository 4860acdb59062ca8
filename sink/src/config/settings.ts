/** Every form in which Debezium sends the placeholder of an unavailable value. */
export interface UnavailableForms {
  /** The placeholder itself, as text, where it is UTF-8. */
  readonly placeholder: string;
  readonly bytes: Uint8Array;
  /** As text: plain, base64, hex, the name-based (MD5) UUID of its bytes, an hstore entry. */
  readonly texts: ReadonlySet<string>;
  /** Length of the longest of these texts: longer text is none of them. */
  readonly longest: number;
}

/** What the mapping core needs to know of one topic (`ossian.…` and `ossian.topic.<topic>.…`). */
export interface MappingSettings {
  readonly connectorName: string;
  /** May hold `${topic}`. */
  readonly source: string;
  readonly textFields: readonly string[];
  readonly titleField: string | undefined;
  readonly uriTemplate: string | undefined;
  readonly metadataFields: readonly string[];
  readonly aclField: string | undefined;
  readonly keyFields: readonly string[] | undefined;
  readonly recordFormat: 'auto' | 'envelope' | 'flat' | 'plain';
  readonly sideTopics: readonly string[];
  readonly unavailable: UnavailableForms;
  readonly unavailablePolicy: 'refuse' | 'keep';
  readonly truncatePolicy: 'clear' | 'ignore' | 'fail';
}

export interface ConverterSettings {
  readonly kind: 'json' | 'string' | 'bytes' | 'avro' | 'json-schema' | 'protobuf';
  readonly schemasEnable: boolean;
}

/** `errors.*` in Connect's meaning. */
export interface ToleranceSettings {
  readonly tolerance: 'none' | 'all';
  readonly logEnable: boolean;
  readonly logIncludeMessages: boolean;
  readonly deadLetterTopic: string | undefined;
  readonly deadLetterReplicationFactor: number;
  readonly deadLetterContextHeaders: boolean;
}

export interface DeliverySettings {
  readonly url: string;
  /** Concealed where the settings are printed. */
  readonly apiKey: string;
  /** Reads the key again from where it stands (a rotated key); undefined where it cannot be had. */
  readonly readApiKey: () => string | undefined;
  readonly corpus: string;
  readonly batchMaxEvents: number;
  readonly batchMaxBytes: number;
  /** Milliseconds, as all times here. */
  readonly linger: number;
  readonly requestTimeout: number;
  readonly retryBackoff: number;
  readonly retryBackoffMax: number;
}

/** Kafka's own client settings, in Kafka's spelling, already stripped of prefixes; secrets resolved. */
export interface KafkaSettings {
  readonly bootstrapServers: readonly string[];
  readonly client: Readonly<Record<string, string>>;
  readonly consumer: Readonly<Record<string, string>>;
  readonly producer: Readonly<Record<string, string>>;
}

/** A connector's whole configuration: typed, checked, frozen. */
export interface ConnectorSettings {
  readonly name: string;
  readonly topics: { readonly list: readonly string[] } | { readonly regex: string };
  /** True for the topics of the list, or those whose whole name the regular expression matches. */
  readonly readsTopic: (topic: string) => boolean;
  readonly tasksMax: number;
  readonly kafka: KafkaSettings;
  readonly keyConverter: ConverterSettings;
  readonly valueConverter: ConverterSettings;
  readonly delivery: DeliverySettings;
  readonly tolerance: ToleranceSettings;
  readonly offsetOutOfRange: 'fail' | 'earliest' | 'latest';
  /** The mapping of a topic: its own keys over the connector's. */
  readonly mapping: (topic: string) => MappingSettings;
  /** What is allowed and does not do what it seems to: for `validate` and the start of `run`. */
  readonly warnings: readonly string[];
  /** What Debezium's side should have set, for `validate`. */
  readonly advice: readonly string[];
  /** What holds after defaults, without secrets. */
  readonly effective: readonly { readonly name: string; readonly value: string; readonly isDefault: boolean }[];
}
