import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { changingService, type Held } from '../../support/live/changingService.mts';
import { withService } from '../../support/live/service.mts';
import { hints } from '../../support/operations.mts';

/**
 * Names on notarized papers are right to the letter. A correction of a single character is done
 * without a hint only if the service shows it.
 */

const JANE = {
	email: 'jane_doe@example.com',
	first_name: 'Mary Ann',
	last_name: 'De La Cruz',
	external_id: 's1',
	phone: { country_code: '1', number: '6175550123' },
};
const FIELDS = ['email', 'first_name', 'last_name', 'phone_number'] as const;
const before: Record<(typeof FIELDS)[number], string> = {
	...JANE,
	phone_number: '+16175550123',
};

/** What a service does with a corrected signer. */
const SERVICES: Record<string, (sent: IDataObject) => IDataObject> = {
	'takes it': (sent) => sent,
	'ignores it': () => ({ ...JANE }),
	'writes it in its own way': (sent) => ({
		...sent,
		email: String(sent.email).toLowerCase(),
		first_name: String(sent.first_name).toUpperCase(),
		last_name: String(sent.last_name).replace(/\s+/g, ''),
	}),
};

/** One character of a text changed, taken out, added, or put into the other case. */
const changed = (text: string, letters: string) =>
	fc
		.tuple(
			fc.nat(text.length - 1),
			fc.constantFrom('swap', 'drop', 'add', 'case'),
			fc.constantFrom(...letters),
		)
		.map(([at, how, letter]) => {
			const [head, one, tail] = [text.slice(0, at), text[at], text.slice(at + 1)];
			if (how === 'drop') return head + tail;
			if (how === 'add') return head + one + letter + tail;
			if (how === 'swap') return head + letter + tail;
			return head + (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()) + tail;
		})
		.filter((other) => other.trim() === other && other !== text);
const correction = fc.constantFrom(...FIELDS).chain((field) =>
	changed(before[field].replace('+', ''), field === 'phone_number' ? '0123456789' : 'abcxyzAB _-.')
		.map((value) => (field === 'phone_number' ? `+${value}` : value))
		.filter((value) => field !== 'email' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value))
		.filter((value) => !/^\+?[\s_.-]*$/.test(value))
		.map((value) => ({ field, value })),
);

const stored = ({ phone, phone_number: text, ...signer }: IDataObject): IDataObject => {
	const { country_code: country, number } = (phone ?? {}) as IDataObject;
	const written = String(text ?? '');
	const whole =
		phone === undefined
			? written.startsWith('+')
				? written
				: `+1${written}`
			: `+${String(country)}${String(number)}`;
	return { ...signer, phone_number: whole };
};

describe.each(Object.entries(SERVICES))('a service that %s', (_what, take) => {
	test.each(['draft', 'sent'])('of a %s transaction', async (state) => {
		await fc.assert(
			fc.asyncProperty(correction, async ({ field, value }) => {
				const held: Held = {
					fields: { transaction_name: 'A' },
					signers: [structuredClone(JANE)],
					status: state === 'sent' ? 'sent' : 'started',
					detailed_status: state === 'sent' ? 'sent_to_signer' : 'draft',
				};
				await withService(changingService(held, { put: 'replace', take }), async (service) => {
					const outcome = await runNode({
						credential: service.credential,
						parameters: {
							resource: 'transaction',
							operation: 'correctSigner',
							platform: 'business',
							transactionId: id('ot_held001'),
							signerId: id('s1'),
							corrections: { [field]: value },
							settingsNotShown: 'none',
							sendAgain: true,
						},
					});
					const isDone = outcome.error === undefined;
					const now = stored(held.signers[0]);
					const isShown = FIELDS.every(
						(name) => now[name] === (name === field ? value : before[name]),
					);
					const said = hints(outcome);
					const isTold = /the service shows/.test(said);
					expect({ field, value, isDone, isTold, isShown }).toMatchObject(
						isShown ? { isDone: true, isTold: false } : isDone ? { isTold: true } : {},
					);
					// Whether it's done or not, a write was tried: nothing counts as corrected before.
					expect(service.bodies('PATCH')).toHaveLength(1);
				});
			}),
			{ numRuns: 60 },
		);
	});
});

test('each of the corrections that were once taken for done is written', async () => {
	for (const [field, value] of [
		['email', 'janedoe@example.com'],
		['first_name', 'Maryann'],
		['last_name', 'DE LA CRUZ'],
		['phone_number', '+44 6175550123'],
	]) {
		const held: Held = {
			fields: {},
			signers: [structuredClone(JANE)],
			status: 'started',
			detailed_status: 'draft',
		};
		await withService(changingService(held, { put: 'replace' }), async ({ credential }) => {
			const { error, items } = await runNode({
				credential,
				parameters: {
					resource: 'transaction',
					operation: 'correctSigner',
					platform: 'business',
					transactionId: id('ot_held001'),
					signerId: id('s1'),
					corrections: { [field]: value },
					settingsNotShown: 'none',
				},
			});
			expect(error).toBeUndefined();
			expect(items[0].json.correction_steps).toEqual(['corrected']);
			expect(stored(held.signers[0])[field]).toBe(value.replace(/^(\+\d+) /, '$1'));
		});
	}
});
