#!/usr/bin/env node
import '../dist/demo/main.js';
