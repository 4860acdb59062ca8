#!/usr/bin/env node
import { runRecordCommand } from '../dist/recordings/main.js';

await runRecordCommand(process.argv.slice(2));
