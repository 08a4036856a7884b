import { existsSync, readFileSync } from 'node:fs';

import { beforeAll, test } from '@jest/globals';

import { useBinaryMode } from '../support/engine.mts';
import { namesOfSchemas, outputSchema, schemaFile } from '../support/generated/outputSchemas.mts';
import { expectUpToDate } from '../support/generated/upToDate.mts';
import { OPERATION_NAMES } from '../support/matrix/index.mts';

/**
 * The output schemas that the editor previews are what the operations really give, by default:
 * simplified. `npm run generate` writes them.
 */

beforeAll(async () => await useBinaryMode('filesystem'));

test('every operation has a schema, and every schema an operation', () => {
	expectUpToDate(namesOfSchemas(), [...OPERATION_NAMES].sort());
});

test.each(OPERATION_NAMES)('%s gives what its schema says', async (name) => {
	const file = schemaFile(name);
	const schema: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
	expectUpToDate(schema, await outputSchema(name));
});
