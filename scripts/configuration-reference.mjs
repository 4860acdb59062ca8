// Writes docs/configuration.md from the keys that the sink declares; with --check it only says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { configurationReference } from '../sink/dist/config/configuration-reference.js';

const path = new URL('../docs/configuration.md', import.meta.url);
const text = configurationReference();
if (!process.argv.includes('--check')) writeFileSync(path, text);
else if (read() !== text) {
  console.error('docs/configuration.md is stale: run "node scripts/configuration-reference.mjs" after a build');
  process.exit(1);
}

function read() {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
