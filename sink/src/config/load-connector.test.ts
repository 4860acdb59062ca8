import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kafkaOptions } from '../source/kafka-options.js';
import { ConfigurationError } from './configuration-error.js';
import { kafkaKeysInUse } from './keys/kafka-client-keys.js';
import { loadConnector, type LoadOptions, loadConnectors } from './load-connector.js';

const secret = 'ossk_8f2e_secret';
const good: Readonly<Record<string, string>> = {
  name: 'shop',
  topics: 'shop.public.articles',
  'bootstrap.servers': '127.0.0.1:9092',
  'ossian.url': 'http://127.0.0.1:8080',
  'ossian.api.key': secret,
  'ossian.corpus': 'shop',
  'ossian.text.fields': 'title,body',
};
const json = (entries: object): { path: string; text: string } => ({ path: 'shop.json', text: JSON.stringify(entries) });
const load = (changes: Record<string, string | undefined> = {}, options: LoadOptions = {}) =>
  loadConnector(json({ ...good, ...changes }), { environment: {}, ...options });
const faultsOf = (run: () => unknown): string[] => {
  try {
    run();
  } catch (error) {
    if (ConfigurationError.is(error)) return error.faults.map(({ message }) => message);
    throw error;
  }
  return [];
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ossian-config-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the forms of a file', () => {
  it('a .properties file: escapes, continued lines, every separator, comments', () => {
    const text = [
      '# a comment',
      '! another = comment',
      'name: caf\\u00e9',
      'topics  shop.public.articles',
      'bootstrap.servers=a:9092, \\',
      '    b:9092',
      'ossian.url = http://127.0.0.1:8080',
      `ossian.api.key=${secret}`,
      'ossian.corpus=shop',
      'ossian.text.fields=two\\ words,a\\=b',
      '',
    ].join('\r\n');
    const settings = loadConnector({ path: 'x.properties', text }, { environment: {} });
    expect(settings.name).toBe('café');
    expect(settings.topics).toEqual({ list: ['shop.public.articles'] });
    expect(settings.kafka.bootstrapServers).toEqual(['a:9092', 'b:9092']);
    expect(settings.mapping('shop.public.articles').textFields).toEqual(['two words', 'a=b']);
  });

  it('JSON in both of Connect’s forms, with values that are no strings', () => {
    const { name, ...config } = good;
    const flat = loadConnector(json({ ...good, 'batch.max.events': 7, 'ossian.source.shared': true, 'linger.ms': null }));
    const nested = loadConnector(json({ name, config: { ...config, 'batch.max.events': '7' } }));
    expect([flat.delivery.batchMaxEvents, nested.delivery.batchMaxEvents]).toEqual([7, 7]);
    expect(nested.name).toBe('shop');
  });

  it.each([
    ['no JSON', '{"name":', /not a JSON object/],
    ['a list', '[]', /not a JSON object/],
    ['two names', '{"name":"a","config":{"name":"b"}}', /differ/],
    ['a list as a value', '{"name":"a","topics":["x"]}', /topics must be a text: write lists as "a,b,c"/],
  ])('%s is a fault', (_title, text, message) => {
    expect(faultsOf(() => loadConnector({ path: 'x.json', text }, { environment: {} })).join('\n')).toMatch(message);
  });

  it('a key with two values in one .properties file is a fault; the same value twice is none', () => {
    const lines = Object.entries(good).map(([key, value]) => `${key}=${value}`);
    const read = (...more: string[]) =>
      faultsOf(() => loadConnector({ path: 'x.properties', text: [...lines, ...more].join('\n') }));
    expect(read('topics=other')).toEqual(['topics has different values in lines 2 and 8: keep one of them.']);
    expect(read('topics=shop.public.articles')).toEqual([]);
  });

  it('a file that is not there is a fault that names it', () => {
    expect(faultsOf(() => loadConnector(join(folder, 'none.json')))).toEqual([
      expect.stringMatching(/none\.json cannot be read \(ENOENT\)/),
    ]);
  });
});

describe('settings', () => {
  it('Connect’s and our defaults', () => {
    const settings = load();
    expect(JSON.parse(JSON.stringify(settings.delivery))).toEqual({
      url: 'http://127.0.0.1:8080',
      apiKey: '[hidden]',
      corpus: 'shop',
      batchMaxEvents: 500,
      batchMaxBytes: 4_194_304,
      linger: 50,
      requestTimeout: 30_000,
      retryBackoff: 300,
      retryBackoffMax: 60_000,
    });
    expect(settings.tolerance).toMatchObject({ tolerance: 'none', logEnable: false, deadLetterTopic: undefined });
    expect(settings.mapping('shop.public.articles')).toMatchObject({
      source: '${topic}',
      recordFormat: 'auto',
      unavailablePolicy: 'refuse',
      truncatePolicy: 'clear',
      sideTopics: ['__debezium-heartbeat.*'],
      metadataFields: [],
      aclField: undefined,
    });
    expect(settings).toMatchObject({ offsetOutOfRange: 'fail', tasksMax: 1, warnings: [] });
  });

  it('a topic’s own keys stand over the connector’s; topics hold dots, and the longest known suffix decides', () => {
    const settings = load({
      topics: 'shop.public.articles,shop.text.fields',
      'ossian.title.field': 'title',
      'ossian.topic.shop.text.fields.text.fields': 'subject',
      'ossian.topic.shop.text.fields.title.field': '',
      'ossian.topic.shop.text.fields.unavailable.value.placeholder': 'hex:00ff',
    });
    expect(settings.mapping('shop.public.articles')).toMatchObject({ textFields: ['title', 'body'], titleField: 'title' });
    const own = settings.mapping('shop.text.fields');
    expect(own).toMatchObject({ textFields: ['subject'], titleField: undefined });
    expect([...own.unavailable.bytes]).toEqual([0, 255]);
  });

  it('Kafka’s own keys keep its spelling and lose their prefix', () => {
    const { kafka } = load({
      'security.protocol': 'SASL_SSL',
      'consumer.override.auto.offset.reset': 'latest',
      'producer.override.acks': 'all',
    });
    expect({ ...kafka.client }).toEqual({ 'security.protocol': 'SASL_SSL' });
    expect({ ...kafka.consumer }).toEqual({ 'auto.offset.reset': 'latest' });
    expect({ ...kafka.producer }).toEqual({ acks: 'all' });
  });

  it.each([
    ['org.apache.kafka.connect.json.JsonConverter', 'json'],
    ['JsonConverter', 'json'],
    ['org.apache.kafka.connect.storage.StringConverter', 'string'],
    ['org.apache.kafka.connect.converters.ByteArrayConverter', 'bytes'],
  ])('the converter %s', (name, kind) => {
    expect(load({ 'key.converter': name, 'key.converter.schemas.enable': 'false' }).keyConverter).toEqual({
      kind,
      schemasEnable: false,
    });
  });

  it('a file written for Connect works, with one warning that lists what is not needed', () => {
    const { warnings } = load({
      'connector.class': 'io.example.Sink',
      'header.converter': 'x',
      'value.converter.decimal.format': 'BASE64',
      'value.converter.basic.auth.user.info': 'a:b',
      'config.providers.env.class': 'x',
      'errors.retry.timeout': '-1',
    });
    expect(warnings).toEqual([
      'Accepted but not needed here, and without effect: config.providers.env.class, connector.class, errors.retry.timeout, header.converter, value.converter.basic.auth.user.info, value.converter.decimal.format.',
    ]);
  });

  it('flattened records: says what is lost and which add.headers help', () => {
    const flat = load({ 'ossian.record.format': 'flat' });
    expect(flat.warnings).toEqual([expect.stringMatching(/truncate\.policy has no effect/)]);
    expect(flat.advice[0]).toMatch(/add\.headers=op,source\.ts_ms,source\.lsn/);
    expect(load({ 'ossian.record.format': 'flat', 'ossian.truncate.policy': 'ignore' }).warnings).toEqual([]);
    expect(load().advice.join('\n')).toMatch(/Should the topics be flattened.*skipped\.operations=none/s);
    expect(load({ 'ossian.record.format': 'plain' }).advice).toEqual([]);
  });

  it('a key of Kafka that does nothing here is told, and those that do something are the ones that are read', () => {
    const { warnings } = load({
      'consumer.override.max.poll.records': '5',
      'ssl.provider': 'x',
      'consumer.override.fetch.min.bytes': '1',
    });
    expect(warnings).toEqual([expect.stringMatching(/without effect: consumer\.override\.max\.poll\.records, ssl\.provider\.$/)]);
    const read = new Set<string>();
    const recording = (values: Record<string, string>) =>
      new Proxy(values, {
        get: (target, name) => {
          if (typeof name === 'string') read.add(name);
          return target[String(name)];
        },
      });
    const password = { 'sasl.jaas.config': 'x required;', 'sasl.username': 'u', 'sasl.password': 'p' };
    const kafka = {
      bootstrapServers: ['b:1'],
      client: recording({ 'security.protocol': 'SASL_SSL', ...password }),
      consumer: recording({}),
      producer: {},
    };
    kafkaOptions({ name: 'x', kafka });
    const typesOfStores = ['ssl.keystore.type', 'ssl.truststore.type'];
    expect([...read, ...typesOfStores].sort()).toEqual([...kafkaKeysInUse].sort());
  });

  it('topics.regex is for the whole name', () => {
    const { readsTopic } = load({ topics: undefined, 'topics.regex': 'shop\\.public\\.[a-z]+|x' });
    expect(['shop.public.a', 'x', 'shop.public.a1', 'ax', 'xb'].map(readsTopic)).toEqual([true, true, false, false, false]);
  });

  it('files and commands that need less are asked for less', () => {
    const withoutBrokers = { ...good, 'bootstrap.servers': null };
    expect(faultsOf(() => loadConnector(json(withoutBrokers)))).toHaveLength(1);
    expect(faultsOf(() => loadConnector(json(withoutBrokers), { purpose: 'records' }))).toEqual([]);
    const inspected = { name: 'a', topics: 't', 'ossian.text.fields': 'b', 'ossian.api.key': '${env:NONE}' };
    expect(faultsOf(() => loadConnector(json(inspected), { purpose: 'inspect', environment: {} }))).toEqual([]);
    expect(
      faultsOf(() =>
        loadConnector(json({ ...inspected, 'ossian.text.fields': '${env:NONE}' }), { purpose: 'inspect', environment: {} }),
      ),
    ).toHaveLength(1);
    expect(
      faultsOf(() => loadConnector(json({ ...inspected, 'bootstrap.servers': 'b:1' }), { purpose: 'offsets', environment: {} })),
    ).toEqual([]);
    expect(faultsOf(() => loadConnector(json(inspected), { purpose: 'offsets', environment: {} }))).toHaveLength(1);
    expect(faultsOf(() => loadConnector(json(inspected), { purpose: 'records', environment: {} }))).toHaveLength(3);
  });

  it('several files are several connectors, and the faults of all are told at once', () => {
    const other = json({ ...good, name: 'other' });
    expect(loadConnectors([json(good), other]).map(({ name }) => name)).toEqual(['shop', 'other']);
    expect(faultsOf(() => loadConnectors([json(good), json(good)]))).toEqual([expect.stringContaining('the name "shop" too')]);
    expect(faultsOf(() => loadConnectors([json({ ...good, nmae: 'x' }), { path: 'b.json', text: '[]' }]))).toHaveLength(2);
  });
});

describe('S9: contradictory or undefined configuration does not start', () => {
  const dlq = 'errors.deadletterqueue.topic.name';
  it.each<[string, Record<string, string | undefined>, RegExp]>([
    [
      'a key that nobody defines',
      { 'ossian.txt.fields': 'a' },
      /ossian\.txt\.fields is not a key.*Did you mean ossian\.text\.fields\?/,
    ],
    ['a known key of Connect misspelt', { 'erors.tolerance': 'all' }, /Did you mean errors\.tolerance\?/],
    ['a Kafka key misspelt', { 'consumer.override.max.pol.records': '1' }, /Did you mean max\.poll\.records\?/],
    ['a topic’s key misspelt', { 'ossian.topic.shop.public.articles.txt.fields': 'a' }, /Did you mean text\.fields\?/],
    ['no name', { name: undefined }, /^name is missing/],
    ['no topics', { topics: undefined }, /^topics is missing/],
    ['topics and a regex', { 'topics.regex': 'a' }, /both set/],
    ['a regex that is none', { topics: undefined, 'topics.regex': '(' }, /regular expression/],
    ['a topic twice', { topics: 'a,b,a' }, /topics names "a" twice/],
    ['no backend', { 'ossian.url': undefined }, /^ossian\.url is missing/],
    ['an address that is none', { 'ossian.url': 'localhost:8080' }, /ossian\.url must be an address/],
    ['a password in the address', { 'ossian.url': 'http://u:p@h/' }, /ossian\.api\.key/],
    ['no key', { 'ossian.api.key': undefined }, /^ossian\.api\.key is missing/],
    ['an empty key', { 'ossian.api.key': ' ' }, /ossian\.api\.key is empty/],
    ['no corpus', { 'ossian.corpus': undefined }, /^ossian\.corpus is missing/],
    ['a corpus that cannot be', { 'ossian.corpus': 'a/b' }, /not the name of a corpus/],
    ['no text columns', { 'ossian.text.fields': undefined }, /^ossian\.text\.fields is missing for shop\.public\.articles/],
    [
      'no text columns for one topic',
      { topics: 'a,b', 'ossian.text.fields': undefined, 'ossian.topic.a.text.fields': 'x' },
      /missing for b:/,
    ],
    [
      'no text columns with a regex',
      { topics: undefined, 'topics.regex': 'a', 'ossian.text.fields': undefined, 'ossian.topic.a.text.fields': 'x' },
      /^ossian\.text\.fields is missing/,
    ],
    ['no brokers', { 'bootstrap.servers': undefined }, /^bootstrap\.servers is missing/],
    [
      'a dead letter queue among the inputs',
      { 'errors.tolerance': 'all', [dlq]: 'shop.public.articles' },
      /one of the topics that are read/,
    ],
    [
      'a dead letter queue that the regex matches',
      { topics: undefined, 'topics.regex': 'shop.*', 'errors.tolerance': 'all', [dlq]: 'shop.dlq' },
      /one of the topics that are read/,
    ],
    ['a dead letter queue with tolerance none', { [dlq]: 'dlq' }, /errors\.tolerance is none/],
    ['tolerance all without a trace', { 'errors.tolerance': 'all' }, /vanish without a trace/],
    ['one source for two topics', { topics: 'a,b', 'ossian.source': 's' }, /a and b share the source "s"/],
    ['one source for a regex', { topics: undefined, 'topics.regex': 'a|b', 'ossian.source': 's' }, /ossian\.source\.shared=true/],
    ['two topics whose own sources are one', { topics: 'a,b', 'ossian.topic.a.source': 'b' }, /share the source "b"/],
    ['a topic’s key for a topic that is not read', { 'ossian.topic.other.title.field': 't' }, /"other" is not among the topics/],
    [
      'a transformation',
      { transforms: 'unwrap', 'transforms.unwrap.type': 'io.debezium.transforms.ExtractNewRecordState' },
      /"unwrap" \(io\.debezium\.transforms\.ExtractNewRecordState\) is not in this version/,
    ],
    ['a transformation’s key without it', { 'transforms.unwrap.type': 'X' }, /belongs to no transformation/],
    ['a converter to come', { 'value.converter': 'io.confluent.connect.avro.AvroConverter' }, /not in this version yet/],
    ['a converter that is none', { 'key.converter': 'my.Converter' }, /not a known converter/],
    ['a number out of range', { 'batch.max.events': '0' }, /whole number from 1 to 10000/],
    ['a number that is none', { 'linger.ms': '5s' }, /linger\.ms must be a whole number/],
    ['a boolean that is none', { 'errors.log.enable': 'yes' }, /true or false/],
    ['a value that is not allowed', { 'ossian.unavailable.policy': 'drop' }, /refuse, keep/],
    ['a first wait above the longest', { 'retry.backoff.ms': '70000' }, /above retry\.backoff\.max\.ms/],
    ['an address template without a column', { 'ossian.uri.template': 'https://x/' }, /names no column/],
    ['an address template that is not closed', { 'ossian.uri.template': 'https://x/${id' }, /not closed/],
    ['an empty ACL column', { 'ossian.acl.field': '' }, /ossian\.acl\.field is empty/],
    ['a placeholder of odd hex', { 'ossian.unavailable.value.placeholder': 'hex:abc' }, /hexadecimal/],
    ['a secret that is not set', { 'ossian.api.key': '${env:OSSIAN_KEY}' }, /environment variable OSSIAN_KEY/],
    ['a secret file that is not there', { 'ossian.api.key': '${file:/nowhere/key}' }, /file \/nowhere\/key.*ENOENT/],
    [
      'a source that another topic of the regex has',
      { topics: undefined, 'topics.regex': 'app\\..*', 'ossian.topic.app.a.source': 'app.b' },
      /app\.b and app\.a share the source "app\.b"/,
    ],
    [
      'a source of two topics of the regex',
      { topics: undefined, 'topics.regex': 'app\\..*', 'ossian.topic.app.a.source': 's', 'ossian.topic.app.b.source': 's' },
      /app\.a and app\.b share the source "s"/,
    ],
    ['a reference within a reference', { 'ossian.api.key': '${env:A_${env:B}}' }, /cannot stand within another/],
    ['a Kafka key that is none', { 'consumer.override.fetch.max.wait.ms': 'x' }, /fetch\.max\.wait\.ms must be a whole number/],
    ['a provider that is not known', { 'ossian.api.key': '${vault:a:b}' }, /provider "vault"/],
  ])('%s', (_title, changes, message) => {
    const faults = faultsOf(() => load(changes));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(message);
  });

  it('a malformed escape in a properties file, be it the connector or one with secrets', () => {
    const malformed = 'name=x\nossian.api.key=\\u12\n';
    expect(faultsOf(() => loadConnector({ path: 'x.properties', text: malformed }))).toEqual([
      expect.stringContaining('four hexadecimal digits'),
    ]);
    const path = join(folder, 'malformed.properties');
    writeFileSync(path, 'key=hush\\uZZ\n');
    expect(faultsOf(() => load({ 'ossian.api.key': `\${file:${path}:key}` }))).toEqual([
      expect.stringMatching(/^(?!.*hush).*malformed/),
    ]);
  });

  it('every fault is told at once', () => {
    const text = JSON.stringify({
      topics: 'a',
      'ossian.url': 'x',
      'linger.ms': 'x',
      foo: 1,
      'errors.tolerance': 'all',
      'ossian.api.key': '${env:X}',
    });
    expect(faultsOf(() => loadConnector({ path: 'x.json', text }, { environment: {} }))).toHaveLength(9);
  });

  it('what is promised or exempt does start', () => {
    expect(faultsOf(() => load({ topics: 'a,b', 'ossian.source': 's', 'ossian.source.shared': 'true' }))).toEqual([]);
    expect(faultsOf(() => load({ topics: 'a,b', 'ossian.topic.b.source': 's' }))).toEqual([]);
    const regex = { topics: undefined, 'topics.regex': 'app\\..*' };
    expect(faultsOf(() => load({ ...regex, 'ossian.topic.app.a.source': 'other.b' }))).toEqual([]);
    expect(faultsOf(() => load({ ...regex, 'ossian.topic.app.a.source': 'app.b', 'ossian.topic.app.b.source': 'x' }))).toEqual(
      [],
    );
    expect(faultsOf(() => load({ ...regex, 'ossian.topic.app.a.title.field': 'title' }))).toEqual([]);
    expect(faultsOf(() => load({ topics: 'a,side', 'ossian.source': 's', 'ossian.side.topics': 'si*' }))).toEqual([]);
    expect(
      faultsOf(() =>
        load({
          topics: 'a,side',
          'ossian.text.fields': undefined,
          'ossian.topic.a.text.fields': 'x',
          'ossian.side.topics': 'side',
        }),
      ),
    ).toEqual([]);
    expect(faultsOf(() => load({ 'errors.tolerance': 'all', 'errors.log.enable': 'true' }))).toEqual([]);
    expect(faultsOf(() => load({ transforms: '' }))).toEqual([]);
  });
});

describe('S10: secrets', () => {
  const jaas = 'org.x.PlainLoginModule required username="u" password="p4ssw0rd";';
  const withSecrets = {
    'sasl.jaas.config': jaas,
    'consumer.override.ssl.key.password': 'k3y',
    'ossian.title.field': '${env:TITLE}',
  };

  it('are never shown: not as JSON, by inspect (so not in a log), or in the effective configuration', () => {
    const settings = load(withSecrets, { environment: { TITLE: 'from-environment' } });
    expect(settings.delivery.apiKey).toBe(secret);
    expect(settings.kafka.client['sasl.jaas.config']).toBe(jaas);
    const shown = [
      JSON.stringify(settings),
      inspect(settings, { depth: 9, showHidden: true }),
      JSON.stringify(settings.effective),
    ];
    for (const text of shown) {
      for (const hidden of [secret, 'p4ssw0rd', 'k3y']) expect(text).not.toContain(hidden);
    }
    expect(settings.effective).toContainEqual({ name: 'ossian.title.field', value: '[hidden]', isDefault: false });
  });

  it('are not shown by a fault', () => {
    const faults = faultsOf(() =>
      load(
        { ...withSecrets, 'ossian.api.key': '${file:/x/${env:A}}', 'batch.max.events': '${env:B}' },
        { environment: { TITLE: 't', B: 'b-secret' } },
      ),
    );
    expect(faults.join('\n')).not.toMatch(/b-secret|p4ssw0rd|k3y/);
    const misplaced = { 'value.converter': '${env:S}', 'ossian.metadata.fields': '${env:S},${env:S}', transforms: '${env:S}' };
    const quoting = faultsOf(() => load(misplaced, { environment: { S: 'm1splaced' } })).join('\n');
    expect(quoting).toContain('[hidden]');
    expect(quoting).not.toContain('m1splaced');
  });

  it('come from the environment, a whole file, or a key of a properties file', () => {
    writeFileSync(join(folder, 'key'), `${secret}\n`);
    writeFileSync(join(folder, 'secrets.properties'), 'api.key=from\\u0020properties\n');
    const key = (text: string) => load({ 'ossian.api.key': text }, { environment: { KEY: 'from-env' } }).delivery.apiKey;
    expect(key('${env:KEY}')).toBe('from-env');
    expect(key(`\${file:${folder}/key}`)).toBe(secret);
    expect(key(`\${file:${folder}/secrets.properties:api.key}`)).toBe('from properties');
    expect(key('a-${env:KEY}-b')).toBe('a-from-env-b');
    expect(faultsOf(() => key(`\${file:${folder}/secrets.properties:none}`))).toEqual([
      expect.stringContaining('needs the key none'),
    ]);
  });

  it('a rotated key is read again from where it stands', () => {
    const path = join(folder, 'rotating');
    writeFileSync(path, 'one');
    const { delivery } = load({ 'ossian.api.key': `\${file:${path}}` });
    writeFileSync(path, 'two');
    expect([delivery.apiKey, delivery.readApiKey()]).toEqual(['one', 'two']);
    rmSync(path);
    expect(delivery.readApiKey()).toBeUndefined();
    const file = join(folder, 'connector.json');
    writeFileSync(file, JSON.stringify(good));
    const settings = loadConnector(file, { environment: {} });
    writeFileSync(file, JSON.stringify({ ...good, 'ossian.api.key': 'three' }));
    expect(settings.delivery.readApiKey()).toBe('three');
  });

  it('settings cannot be changed', () => {
    const settings = load();
    for (const part of [settings, settings.delivery, settings.kafka, settings.tolerance, settings.mapping('a')]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});
