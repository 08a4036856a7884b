import type { IDataObject } from 'n8n-workflow';

import { addDeed, correct } from '../messages/person.mts';
import { borrowers, createClosing, id, toForm } from '../../support/closing.mts';
import {
	attempt,
	complaint,
	hints,
	run,
	sendClosing,
	transaction,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * A closing with identity checks whose type no answer shows. Some services take null for it, others
 * refuse null by name (docs/service/closings.md#type-of-a-closing-with-identity-assurance).
 */

useSandbox();

afterEach(() => {
	Object.assign(sandbox.world.settings.switches, {
		assuredType: 'null',
		assuredTypeAnswer: 'shown',
	});
});

const CHECKS = { identityChecks: ['selfie'] };
/** A closing that was sent, at a service that takes such types, and shows them or not. */
async function sentAt(assuredType: 'null' | 'named', assuredTypeAnswer: 'shown' | 'missing') {
	Object.assign(sandbox.world.settings.switches, { assuredType, assuredTypeAnswer });
	const closing = await createClosing(credential(), {
		signers: borrowers(CHECKS),
		...toForm({ paper_note_consent: true }),
	});
	await addDeed(closing, { requirement: 'esign' });
	await run(sendClosing(id(closing)));
	sandbox.requests.length = 0;
	return closing;
}
const writes = () => sandbox.requests.filter(({ method }) => method !== 'GET');
const given = { closingSettings: { paper_note_consent: true, transaction_type: 'refinance' } };

describe.each([
	['named', 'missing'],
	['null', 'missing'],
	['null', 'shown'],
] as const)('a type that has to be %s and is %s', (assuredType, answer) => {
	test.each<IDataObject>([{ settingsNotShown: 'none' }, {}])(
		'is asked for before anything is recalled: %j',
		async (more) => {
			const closing = await sentAt(assuredType, answer);
			const said = await complaint(correct(closing, more));
			expect(said).toMatch(
				/doesn't show Transaction Type of this closing.* Nothing was changed\. Set 'Settings Not Shown' to Set Below/,
			);
			expect([writes(), transaction(closing).status]).toEqual([[], 'sent']);
		},
	);
	test('is written back once it is given, as null where the service refuses it', async () => {
		const closing = await sentAt(assuredType, answer);
		const { error } = await attempt(correct(closing, given));
		expect(error).toBeUndefined();
		const { status, signers, fields } = transaction(closing);
		expect([status, signers[0].email]).toEqual(['sent', 'right@example.com']);
		expect(fields.transaction_type).toBe(assuredType === 'named' ? 'refinance' : null);
		const types = writes()
			.filter(({ method }) => method === 'PUT')
			.map(({ body }) => (body as IDataObject).transaction_type);
		expect(types).toEqual(assuredType === 'named' ? ['refinance'] : ['refinance', null]);
	});
});

test('a type that is shown needs no word', async () => {
	const closing = await sentAt('named', 'shown');
	const outcome = await run(correct(closing, { settingsNotShown: 'none' }));
	expect(hints(outcome)).not.toMatch(/Transaction Type/);
	expect(transaction(closing)).toMatchObject({
		status: 'sent',
		fields: { transaction_type: 'refinance' },
	});
});
