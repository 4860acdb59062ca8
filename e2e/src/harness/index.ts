export * from './compare-corpus-with-table.js';
export * from './corpus.js';
export * from './faulty-proxy.js';
export * from './log-lines.js';
export * from './scene.js';
export * from './server-process.js';
export * from './sink-process.js';
export * from './source.js';
