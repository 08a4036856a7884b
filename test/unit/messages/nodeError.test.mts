import type { INode } from 'n8n-workflow';

import { ExplainedFailure, InputFailure } from '../../../nodes/SignAndClose/messages/failures.ts';
import {
	formatAsText,
	toCredentialError,
	toNodeError,
} from '../../../nodes/SignAndClose/messages/nodeError.ts';
import {
	Failure,
	ServiceFailure,
	type FailureReason,
} from '../../../nodes/SignAndClose/transport/failure/failure.ts';
import { forEachCase } from '../../support/forEachCase.mts';

/** Anything thrown as one of n8n's own errors: its class, its words, its item, its status. */

const NODE: INode = {
	id: '1',
	name: 'Tested',
	type: 'test.signAndClose',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const SECRET = 'key-of-the-account';
const KEY = [SECRET];
const SECOND_OF_3 = { index: 1, count: 3 };

const EMPTY_FILE = new ServiceFailure({ code: 'emptyFile', fileName: 'deed.pdf' });

describe('a failure of the service', () => {
	const refused = new ServiceFailure(
		{ code: 'refused', status: 422, details: ['eNote Required'], purpose: 'write', attempts: 1 },
		{ httpStatus: 422 },
	);

	test('is an API error with sentence, remedy, status and item', () => {
		const error = toNodeError(NODE, refused, SECOND_OF_3, KEY);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message:
				'The closing says neither eNote nor paper note (the service said: eNote Required) (item 2 of 3)',
			description: expect.stringMatching(/^eNote or paper note\? For an eNote, use 'eNote: Add'/),
			httpCode: '422',
			context: {},
			node: NODE,
		});
		// What the editor shows below "Error details".
		expect(error.messages).toEqual([error.message]);
	});
	test('leaves n8n nothing else of the answer to store', () => {
		const stored = (failure: Failure) => {
			const { errorResponse, message, description } = toNodeError(NODE, failure, undefined, KEY);
			expect(errorResponse).toMatchObject({ message, description });
			return Object.keys(errorResponse!);
		};
		expect(stored(refused)).toEqual(['message', 'description', 'httpCode']);
		expect(stored(EMPTY_FILE)).toEqual(['message', 'description']);
	});
	test.each<FailureReason>([
		{ code: 'unusableId', name: 'documentId', id: '..' },
		{ code: 'missingApiKey' },
		{ code: 'unusableApiKey' },
		{ code: 'documentNotInTransaction', documentId: 'do_1' },
	])('about what a person entered ($code) is an operation error', (reason) => {
		expect(toNodeError(NODE, new ServiceFailure(reason), undefined, KEY).name).toBe(
			'NodeOperationError',
		);
	});
});

describe('something else that was thrown', () => {
	test('is an operation error with its own words and the item', () => {
		expect(toNodeError(NODE, new Error('It broke'), SECOND_OF_3, KEY)).toMatchObject({
			name: 'NodeOperationError',
			message: 'It broke (item 2 of 3)',
			context: {},
		});
		expect(toNodeError(NODE, new Error('It broke'), SECOND_OF_3, KEY).description).toBeFalsy();
	});
	test('keeps its description, if that is a text', () => {
		forEachCase(
			[
				['Mend it', 'Mend it'],
				[{ text: 'Mend it' }, null],
				['', null],
			],
			([description, kept]) => {
				const thrown = Object.assign(new Error('It broke'), { description });
				const error = toNodeError(NODE, thrown, undefined, KEY);
				expect(error.description || null).toBe(kept);
			},
		);
	});
	test.each([['text'], [undefined], [7], [{ a: 1 }]])(
		'that is no error (%j) says nothing but that the node stopped',
		(thrown) => {
			const error = toNodeError(NODE, thrown, { index: 0, count: 2 }, KEY);
			expect(error.message).toBe('The node stopped for an unknown reason (item 1 of 2)');
			expect(error.description).toBeFalsy();
		},
	);
	test('is not carried over with what it holds, such as a request with its key', () => {
		const thrown = Object.assign(new Error('It broke'), {
			config: { headers: { ApiKey: SECRET } },
			description: 'Mend it',
		});
		expect(JSON.stringify(toNodeError(NODE, thrown, undefined, KEY))).not.toContain(SECRET);
		expect(toNodeError(NODE, thrown, undefined, KEY)).not.toHaveProperty('config');
	});
});

describe('the item', () => {
	const thrown = [EMPTY_FILE, new InputFailure('Email', 'is empty', 'Enter one'), new Error('It')];

	test.each([
		[{ index: 0, count: 1 }, ''],
		[{ index: 0, count: 2 }, ' (item 1 of 2)'],
		// Outside of the item loop.
		[undefined, ''],
	])('at %j is named as "%s", once', (position, end) => {
		forEachCase(thrown, (one) => {
			const error = toNodeError(NODE, one, position, KEY);
			expect(error.message.includes('item')).toBe(end !== '');
			expect(error.message.endsWith(end)).toBe(true);
			// The editor would show it, too, and count from 0.
			expect(error.context.itemIndex).toBeUndefined();
		});
	});
});

describe('message and description', () => {
	const foreign = `with ${SECRET}\n<b>bold</b>`;
	const clean = 'with *** ‹b>bold‹/b>';

	test.each([
		['NodeApiError', new ExplainedFailure(foreign, foreign)],
		['NodeOperationError', new InputFailure('Email', foreign, foreign)],
		['NodeOperationError', Object.assign(new Error(foreign), { description: `${foreign}!` })],
	])('of a %s (%p) are one line of plain text without secrets', (name, thrown) => {
		const error = toNodeError(NODE, thrown, SECOND_OF_3, KEY);
		const { message, description } = error;
		expect(error.name).toBe(name);
		expect(message).toContain(clean);
		expect(description).toContain(clean);
	});
	test('keep what is no secret', () => {
		const { message } = toNodeError(NODE, new Error(`with ${SECRET}`), undefined, []);
		expect(message).toBe(`with ${SECRET}`);
	});
	test('are put together for an item', () => {
		const failure = new InputFailure('Email', 'is empty', 'Enter one');
		expect(formatAsText(toNodeError(NODE, failure, SECOND_OF_3, KEY))).toBe(
			"'Email' is empty (item 2 of 3). Enter one",
		);
		expect(formatAsText(toNodeError(NODE, new Error('It broke'), undefined, KEY))).toBe('It broke');
	});
});

describe('an error of the credential', () => {
	test('holds the remedy in its message, and the failure as its cause', () => {
		const failure = new ServiceFailure({ code: 'missingApiKey' });
		const error = toCredentialError(failure);
		expect(error.message).toBe(
			"'API Key' is empty in the credential. Enter the key that the service generated for your organization",
		);
		expect(error.cause).toBe(failure);
		expect(error).not.toBeInstanceOf(Failure);
	});
	test('that is not ours stays the same', () => {
		const thrown = new Error('It broke');
		expect(toCredentialError(thrown)).toBe(thrown);
		expect(toCredentialError('It broke')).toEqual(thrown);
	});
});
