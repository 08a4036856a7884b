/** The part of `npm run generate` that loads the node's sources. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { useBinaryMode } from '../../test/support/engine.mts';
import { OPERATION_NAMES } from '../../test/support/matrix/index.mts';
import { checkPage } from './checkTable.mts';
import { decisionPage } from './decisionTable.mts';
import { rowsPage } from './headingTables.mts';
import { interfaceWithoutStaleReasons } from './listedInterface.mts';
import { schemaFile, schemaFiles, schemaText, TRIGGER_SCHEMA } from './outputSchemas.mts';
import { readmePage } from './readmeTables.mts';
import { servicePages } from './serviceTables.mts';
import { storedPage } from './storedInterface.mts';

await useBinaryMode('filesystem');
// Nothing is written before everything is known.
const files = [
	await readmePage(),
	await interfaceWithoutStaleReasons(),
	...(await servicePages()),
	await rowsPage(),
	await checkPage(),
	await decisionPage(),
	await storedPage(),
];
const named = [...OPERATION_NAMES, TRIGGER_SCHEMA];
for (const name of named) files.push(await schemaText(name));
const wanted = named.map(schemaFile);
for (const file of schemaFiles()) if (!wanted.includes(file)) rmSync(file);
for (const { file, text } of files) {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
}
process.exit(0);
