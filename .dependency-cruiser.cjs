// Imports point one way (DESIGN: in these lines a part may import only parts to its left).
const lower = (name, from, allowed) => ({
  name,
  severity: 'error',
  comment: `${from} may import only: ${allowed.join(', ') || 'nothing of ours beside itself'}`,
  from: { path: `^${from}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^(sink|server|e2e)/src/', pathNot: [`^${from}/`, ...allowed.map((path) => `^${path}(/|\\.ts$)`)] },
});
const s = (...names) => names.map((name) => `sink/src/${name}`);
const b = (...names) => names.map((name) => `server/src/${name}`);
const sinkSteps = ['config', 'source', 'convert', 'transform', 'debezium', 'deliver', 'commit'];
const serverParts = ['ingest', 'index', 'retrieve', 'memory'];
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    {
      name: 'shared-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(sink|server|e2e)/' },
    },
    { name: 'sink-never-server', severity: 'error', from: { path: '^sink/' }, to: { path: '^(server|e2e)/' } },
    { name: 'server-never-sink', severity: 'error', from: { path: '^server/' }, to: { path: '^(sink|e2e)/' } },
    { name: 'e2e-from-outside', severity: 'error', from: { path: '^e2e/' }, to: { path: '^(sink|server)/' } },
    lower('sink-record', 'sink/src/record', []),
    lower('sink-errors', 'sink/src/errors', s('record')),
    // settings.ts holds only types: every step may read them.
    ...sinkSteps.map((step) => lower(`sink-${step}`, `sink/src/${step}`, s('record', 'errors', 'config/settings'))),
    lower('sink-task', 'sink/src/task', s('record', 'errors', ...sinkSteps)),
    lower('sink-worker', 'sink/src/worker', s('record', 'errors', ...sinkSteps, 'task')),
    {
      name: 'kafkajs-in-one-file',
      severity: 'error',
      from: { path: '^sink/src/', pathNot: ['^sink/src/source/kafka-client\\.ts$', '\\.test\\.ts$'] },
      to: { path: 'node_modules/kafkajs' },
    },
    lower('server-corpus', 'server/src/corpus', []),
    lower('server-config', 'server/src/config', []),
    lower('server-storage', 'server/src/storage', b('corpus', 'config')),
    lower('server-models', 'server/src/models', b('corpus', 'config')),
    lower('server-auth', 'server/src/auth', b('corpus', 'config', 'storage', 'models')),
    ...serverParts.map((part) =>
      lower(`server-${part}`, `server/src/${part}`, b('corpus', 'config', 'storage', 'models', 'auth')),
    ),
    lower(
      'server-answer',
      'server/src/answer',
      b('corpus', 'config', 'storage', 'models', 'auth', 'ingest', 'index', 'retrieve'),
    ),
    ...['http', 'mcp'].map((part) =>
      lower(`server-${part}`, `server/src/${part}`, b('corpus', 'config', 'storage', 'models', 'auth', ...serverParts, 'answer')),
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
};
