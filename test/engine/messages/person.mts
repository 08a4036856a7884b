import type { IDataObject } from 'n8n-workflow';

import {
	ADD_DOCUMENT,
	borrowers,
	createClosing,
	id,
	pdfItem,
	toForm,
} from '../../support/closing.mts';
import type { RunOptions, RunOutcome } from '../../support/engine.mts';
import { attempt, run, sendClosing } from '../../support/operations.mts';
import { credential, sandbox } from '../../support/useSandbox.mts';

/** Somebody in a back office who takes messages at their word. */

type Options = Partial<RunOptions>;

/** What a person is told to do begins with one of these. */
const REMEDY =
	/\b(?:add|ask|change|check|choose|contact|convert|copy|correct|create|delete|enter|fill|fix|give|keep|leave|let|look|make|put|quote|recall|remove|retrieve|run|see|select|send|set|shorten|split|start|turn|use|wait|write)\b/;
// 'Send: ...' is a part of an item.
const FIRST_REMEDY = new RegExp(`^${REMEDY.source}(?!:)`, 'i');
/** What is quoted may have names of the service: JSON, what an expression returns, IDs, its own words. */
const QUOTED =
	/[Tt]he service (?:rejected the request|(?:also )?said): [^.]*|"[^"]*"|'[^']*'|\{[^}]*\}|\b(?:ot|do|or|rl|us|me|wh|su)_\w+|one of: .*/g;

/** Expects the fact in the title, what to do in the description, and no names of the interface. */
function expectPlainWords(title: string, description: string): void {
	expect(title).not.toMatch(FIRST_REMEDY);
	expect(`${title}: ${description}`).toMatch(new RegExp(`: .*${REMEDY.source}`, 'is'));
	expect(`${title}. ${description}`.replace(QUOTED, '')).not.toMatch(/\b[a-z]+(?:_[a-z]+)+\b/);
}

export class Person {
	/** What the last run that failed has said. */
	said = '';

	/** Runs what fails, and reads why. */
	async fails(parameters: IDataObject, options: Options = {}): Promise<RunOutcome> {
		const outcome = await attempt(parameters, options);
		const { error } = outcome;
		this.said = error ? `${error.message}. ${error.description ?? ''}` : '';
		expect({ parameters, said: this.said }).not.toMatchObject({ said: '' });
		expectPlainWords(error!.message, error!.description ?? '');
		return outcome;
	}

	/** What the message has to say. */
	reads(...words: string[]): void {
		for (const word of words) expect(this.said).toContain(word);
	}

	/** Does a step of the remedy by another operation, or in another form, which the message names. */
	async does(name: string, parameters: IDataObject, options: Options = {}): Promise<RunOutcome> {
		this.reads(name);
		return await run(parameters, options);
	}

	/** Runs the same again, as the message says to; what was changed for it is named. */
	async again(name: string, parameters: IDataObject, options: Options = {}): Promise<RunOutcome> {
		return await this.does(name, parameters, options);
	}
}

/** A draft of a closing that a lender may send, with a deed. */
export async function draft(additionalFields: IDataObject = {}): Promise<string> {
	const closing = await createClosing(credential(), {
		...toForm({ paper_note_consent: true, ...additionalFields }),
	});
	await addDeed(closing);
	return closing;
}

export const addDeed = async (closing: string, more: IDataObject = {}) =>
	await run({ ...ADD_DOCUMENT, transactionId: id(closing), ...more }, { items: [await pdfItem()] });

/** A closing that its signers have. */
export async function sent(additionalFields: IDataObject = {}): Promise<string> {
	const closing = await draft(additionalFields);
	await run(sendClosing(id(closing)));
	return closing;
}

/** A correction of the borrower's address, in which nobody has settings that aren't shown. */
export const correct = (closing: string, more: IDataObject = {}): IDataObject => ({
	resource: 'transaction',
	operation: 'correctSigner',
	platform: 'realEstate',
	transactionId: id(closing),
	signerId: id('borrower-1'),
	corrections: { email: 'right@example.com' },
	settingsNotShown: 'set',
	closingSettings: { paper_note_consent: true },
	sendAgain: true,
	additionalFields: {},
	...more,
});

/** Refuses the next request of this kind. */
export const refuse = (method: string, path: string | RegExp, status: number, text?: string) =>
	sandbox.faults.add({
		method,
		path,
		status,
		body: text === undefined ? {} : { errors: [text] },
	});

/** An operation on a transaction. */
export const on = (
	closing: string,
	operation: string,
	more: IDataObject = {},
	platform = 'realEstate',
): IDataObject => ({
	resource: 'transaction',
	operation,
	platform,
	transactionId: id(closing),
	...more,
});

/** Writes that the service has done twice in a row: to be sent again after a recall isn't one. */
export function doubled(): string[] {
	const done = sandbox.requests
		.filter(({ method, status }) => method !== 'GET' && status >= 200 && status < 300)
		.map((request) => {
			const { method, path, query, body } = request;
			return {
				of: /ot_\w+/.exec(path)?.[0] ?? path,
				write: JSON.stringify([method, path, query, body]),
			};
		});
	const last = new Map<string, string>();
	return done.flatMap(({ of, write }) => {
		const before = last.get(of);
		last.set(of, write);
		return before === write ? [write] : [];
	});
}

export { borrowers };
