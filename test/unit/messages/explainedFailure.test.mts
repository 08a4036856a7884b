import { expect, test } from '@jest/globals';

import {
	ExplainedFailure,
	InputFailure,
} from '../../../nodes/SignAndClose/messages/explainedFailure.ts';

/** Failures that carry the words a person reads. */

test('an explained failure keeps its words with other flags', () => {
	const changed = new ExplainedFailure('What happened', 'What to do').withFlags({ inDoubt: true });
	expect(changed).toBeInstanceOf(ExplainedFailure);
	expect(changed).toMatchObject({
		message: 'What happened',
		remedy: 'What to do',
		flags: { inDoubt: true },
	});
});

test('an explained failure has no flags unless it is given some', () => {
	expect(new ExplainedFailure('What happened', 'What to do').flags).toEqual({});
});

test('a failure of the input begins with the parameter, and is final', () => {
	expect(new InputFailure('Email', 'is empty', 'Enter one')).toMatchObject({
		name: 'InputFailure',
		message: "'Email' is empty",
		remedy: 'Enter one',
		flags: { final: true },
	});
});

test('a failure of a row has its comma right after the parameter', () => {
	expect(new InputFailure('Signers', ', row 2: must be an object', 'Fill it in').message).toBe(
		"'Signers', row 2: must be an object",
	);
});
