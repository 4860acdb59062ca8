// tsc copies no .sql files: the migrations go to dist beside the code that runs them.
import { cpSync } from 'node:fs';

cpSync('src/storage/migrations', 'dist/storage/migrations', { recursive: true, filter: (path) => !path.endsWith('.ts') });
