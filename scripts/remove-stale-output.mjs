// tsc leaves the output of a source file that was moved or removed; a test left so would still run. This takes it away.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

function* files(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else yield path;
  }
}
for (const workspace of ['shared', 'sink', 'server', 'e2e']) {
  const dist = join(workspace, 'dist');
  if (!existsSync(dist)) continue;
  for (const path of files(dist)) {
    const match = /^(.*)\.(js|d\.ts)(\.map)?$/.exec(path.slice(dist.length + 1));
    if (match && !existsSync(join(workspace, 'src', `${match[1]}.ts`))) rmSync(path);
  }
}
