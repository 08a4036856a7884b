import { forEachCase } from '../../support/forEachCase.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';
import { MESSAGES } from './list.mts';
import { NOT_PLAYABLE } from './notPlayable.mts';
import { doubled, Person } from './person.mts';
import { COPYING } from './plays/copying.mts';
import { CORRECTING } from './plays/correcting.mts';
import { CREATE_AND_SEND } from './plays/createAndSend.mts';
import { CREATING } from './plays/creating.mts';
import { OTHERS } from './plays/others.mts';
import { REFUSALS } from './plays/refusals.mts';
import { REPLACING } from './plays/replacing.mts';
import { SENDING } from './plays/sending.mts';

/** The remedies of messages, done to the letter: then it works, and nothing is done twice. */

useSandbox();
beforeEach(() => void (sandbox.requests.length = 0));

const PLAYS = {
	...SENDING,
	...COPYING,
	...CREATING,
	...CORRECTING,
	...REFUSALS,
	...REPLACING,
	...OTHERS,
};

describe('who does what the message says comes to the end, and nothing is done twice', () => {
	test.each(Object.entries({ ...PLAYS, ...CREATE_AND_SEND }))('%s', async (_message, play) => {
		await play(new Person());
		expect(doubled()).toEqual([]);
	});
});

test('each message is played, or says why it cannot be, and no more than a fifth cannot', () => {
	const played = Object.keys(PLAYS);
	expect(MESSAGES.filter((one) => !played.includes(one) && !(one in NOT_PLAYABLE))).toEqual([]);
	expect(
		[...played, ...Object.keys(NOT_PLAYABLE)].filter((one) => !MESSAGES.includes(one)),
	).toEqual([]);
	forEachCase(Object.keys(NOT_PLAYABLE), (one) => expect(played).not.toContain(one));
	expect(Object.keys(NOT_PLAYABLE).length).toBeLessThanOrEqual(MESSAGES.length / 5);
});
