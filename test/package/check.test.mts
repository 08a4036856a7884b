import { CHECKS, type Check } from '../../nodes/SignAndClose/resources/transaction/check/checks.ts';
import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { RESOURCES } from '../../nodes/SignAndClose/run/operation.ts';
import { checkPage } from '../../scripts/generated/checkTable.mts';
import { expectUpToDate } from '../support/expectUpToDate.mts';
import { answerSchemaOf, resolve } from '../../scripts/generated/listedInterface.mts';

/** docs/check.md shows the checks of Transaction: Check, which read what answers are known to show. */

test('the table of docs/check.md is up to date', async () => {
	const { now, text } = await checkPage();
	expectUpToDate(now, text);
});

/** What a field of a schema can be. */
function within(given: unknown, name: string): unknown[] {
	const { schema = {} } = resolve(given);
	const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? [])];
	const own = name === '[]' ? schema.items : schema.properties?.[name];
	return [...(own ? [own] : []), ...parts.flatMap((part) => within(part, name))];
}

const ANSWERS = ['/transactions/ot_1', '/mortgage/v2/transactions/ot_1'].map((path) =>
	answerSchemaOf('GET', path),
);
const NAMES = operations.map(({ resource, name }) => `${RESOURCES[resource]}: ${name}`);
const shown = Object.entries<Check>(CHECKS).flatMap(([code, { fields }]) =>
	fields.map((field) => [code, field] as const),
);

test.each(shown)('%s: an answer has %s', (_code, field) => {
	if (field.includes(': ')) return expect(NAMES).toContain(field);
	const steps = field.replaceAll('[]', '.[]').split('.');
	expect(
		steps.reduce((schemas, step) => schemas.flatMap((schema) => within(schema, step)), ANSWERS),
	).not.toEqual([]);
});
