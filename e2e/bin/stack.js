#!/usr/bin/env node
import { runStackCommand } from '../dist/stack/main.js';

await runStackCommand(process.argv.slice(2));
