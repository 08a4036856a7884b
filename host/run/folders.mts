import { join } from 'node:path';

import { N8N_DIR, ROOT } from '../../scripts/runtime.mjs';

/** The program that starts n8n. */
export const N8N_PROGRAM = join(N8N_DIR, 'node_modules', 'n8n', 'bin', 'n8n');

/** The parts of n8n that can be turned off. */
export const N8N_MODULES_FOLDER = join(N8N_DIR, 'node_modules', 'n8n', 'dist', 'modules');

/** Node.js loads this before n8n. */
export const PRELOAD_FILE = join(ROOT, 'host', 'run', 'preload.cjs');

/** Holds a program `npm`, which comes first on n8n's PATH. */
export const FAKE_NPM_FOLDER = join(ROOT, 'host', 'run', 'path');
