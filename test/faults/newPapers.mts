import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { id as locator, toForm } from '../support/closing.mts';
import { businessFile, closingFile, withFiles } from '../support/createAndSend.mts';
import type { RunOptions, RunOutcome } from '../support/engine.mts';
import { perform, startService } from '../support/faultMatrix/cell.mts';
import { findFault } from '../support/faultMatrix/faults.mts';
import { statesOf } from '../support/faultMatrix/observe.mts';
import { passRounds } from '../support/faultMatrix/rounds.mts';
import { lookUpLimits } from '../support/faultMatrix/times.mts';
import { LATER_S } from '../support/faultService/faults/build.mts';
import type { FaultService } from '../support/faultService/service.mts';
import type { Effect, Platform } from '../support/faultService/types.mts';
import type { TransactionRecord } from '../support/faultService/world.mts';
import { hints } from '../support/operations.mts';
import type { LateResult } from './lateAnswers.mts';

/**
 * New papers for a transaction, sent or draft, and copies of one: each write is refused, or its answer is
 * lost and the service does it before, later or never. Whoever runs it tries again. The service's
 * ledger judges: no document is lost or doubled, no old one sent, and nothing stands recalled unsaid.
 */

const NOTE = '<?xml version="1.0"?><SMART_DOCUMENT></SMART_DOCUMENT>';
const OLD: Record<string, string> = {
	...{ 'Deed.pdf': '%deed', 'Note.pdf': '%note', 'Letter.pdf': '%letter' },
	'note.xml': NOTE,
};
const NEW = { ...OLD, 'Note.pdf': '%new', 'Letter.pdf': '%new', 'note.xml': `${NOTE}<!--new-->` };
const TRACKING_ID = 'T-4711';
const RULES = {
	row: ['Deed', 'Note', 'Letter'].map((nameContains) => ({
		...{ nameContains, requirement: 'notarization', whereToSign: 'rows' },
	})),
};
/** As the service calls it. */
const ENOTE_NAME = 'enote.xml';
const ENOTE = { row: { enoteType: 'ENOTE', source: 'binary', binaryPropertyName: 'file3' } };

const PAPERS = ['document.added', 'document.added', 'document.deleted', 'document.deleted'];
const COPY = ['transaction.created', ...Array<string>(3).fill('document.added')];
/** What each start comes to, in order, if nothing is struck. */
const EFFECTS = {
	sent: ['transaction.recalled', ...PAPERS, 'transaction.sent'],
	draft: [...PAPERS, 'transaction.sent'],
	// A person has given one of the old documents a Tracking ID.
	tracked: [
		...['transaction.recalled', 'document.added', 'document.added', 'document.deleted'],
		...['document.updated', 'document.deleted', 'transaction.sent'],
	],
	enote: [
		...['transaction.recalled', 'document.added', 'document.added', 'enote.deleted', 'enote.added'],
		...['document.deleted', 'document.deleted', 'transaction.sent'],
	],
	// Copies: of one that has ended, and of one that is deleted then.
	ended: COPY,
	alive: [...COPY, 'transaction.deleted'],
};
export type Start = keyof typeof EFFECTS;
const isCopy = (start: Start) => start === 'ended' || start === 'alive';

const LOST = 'network:reset-before-headers';
const BLOWS = ['http:status-422/before', `${LOST}/before`, `${LOST}/after`];
/** While the service may still be at work, nobody can promise that a killed run's work is done once. */
const LATE = LATER_S.map((seconds) => `${LOST}/later-${seconds}s`);
const ACTORS = ['Retry On Fail', 'a person', 'killed, and a person'] as const;

export interface PaperCell {
	start: Start;
	platform: Platform;
	/** Which write is struck, from 0. */
	number: number;
	/** Name of the fault. */
	blow: string;
	actor: (typeof ACTORS)[number];
}

const sceneOf = ({ start, platform }: PaperCell): string =>
	`transaction/${isCopy(start) ? 'copy' : 'replaceDocuments'}#${start}|${platform}`;

const nameOf = (cell: PaperCell): string => {
	const { start, number, blow, actor } = cell;
	return [sceneOf(cell), `${number} ${EFFECTS[start][number]}`, blow, actor].join('|');
};

/** All cells whose name has a text. */
export const allPaperCells = (only = ''): PaperCell[] =>
	(Object.keys(EFFECTS) as Start[])
		.flatMap((start) =>
			(['realEstate', 'business'] as const).flatMap((platform) =>
				EFFECTS[start].flatMap((_kind, number) =>
					[...BLOWS, ...LATE].flatMap((blow) =>
						ACTORS.map((actor) => ({ start, platform, number, blow, actor })),
					),
				),
			),
		)
		.filter(({ start, platform }) => start !== 'enote' || platform === 'realEstate')
		.filter((cell) => nameOf(cell).includes(only));

/** A transaction with its old papers, at a service that has forgotten how it was made. */
export class NewPapers {
	readonly service: FaultService;
	readonly start: Start;
	readonly platform: Platform;
	readonly old: TransactionRecord;
	readonly secondMs: number;
	/** The documents before, by their IDs. */
	private readonly before: Map<string, string>;
	private runs = 0;

	private constructor(
		service: FaultService,
		{ start, platform, secondMs }: Pick<NewPapers, 'start' | 'platform' | 'secondMs'>,
		old: TransactionRecord,
	) {
		this.service = service;
		this.start = start;
		this.platform = platform;
		this.secondMs = secondMs;
		this.old = old;
		this.before = new Map(old.documents.map(({ id, name }) => [id, name]));
	}

	static async make(start: Start, platform: Platform, secondMs: number): Promise<NewPapers> {
		const service = await startService(secondMs);
		const build = platform === 'business' ? businessFile : closingFile;
		const number = platform === 'business' ? 'external_id' : 'loan_number';
		const more = { [number]: '7001', paper_note_consent: true, enote: ENOTE };
		if (start !== 'enote') delete (more as IDataObject).enote;
		const parameters = build({
			...{ documentRules: RULES, then: start === 'draft' ? 'draft' : 'send' },
			...toForm(more),
		});
		const scene = { parameters, ...(await papersOf(OLD, start)) };
		const { error } = await perform(service, 'transaction/createAndSend', scene);
		if (error) throw error;
		const [old] = service.state.transactions.values();
		if (start === 'ended') service.state.cancel(old.id, ['status', 'detailedStatus']);
		service.forget();
		const papers = new NewPapers(service, { start, platform, secondMs }, old);
		if (start === 'tracked') papers.setTrackingId();
		return papers;
	}

	/** The transaction with the papers: the old one, or the copy. */
	get current(): TransactionRecord | undefined {
		const all = [...this.service.state.transactions.values()];
		return isCopy(this.start) ? all.find(({ id }) => id !== this.old.id) : all[0];
	}

	/** As a person does it. */
	setTrackingId(): void {
		const note = this.old.documents.find(({ name }) => name === 'Note')!;
		note.fields.tracking_id = TRACKING_ID;
	}

	get isRecalled(): boolean {
		return !isCopy(this.start) && this.current?.detailedStatus === 'recalled';
	}

	/** What a new execution needs to know, in this process or another one. */
	get task(): PapersTask {
		const { start, platform, secondMs, service, old } = this;
		const { url, key } = service;
		const executionId = String(500 + this.runs++);
		return { start, platform, secondMs, url, key, transactionId: old.id, executionId };
	}

	/** Runs the operation as a new execution. */
	async run(more: PapersRun = {}): Promise<RunOutcome> {
		return await runPapersOnce(this.task, more);
	}

	/** What isn't said of a transaction that stands recalled, by the next plan and by Check. */
	async listUnsaid(): Promise<string[]> {
		if (!this.isRecalled) return [];
		const plan = await this.run({ set: { thenReplace: 'plan' } });
		const parameters = {
			...{ platform: this.platform, transactionId: locator(this.old.id) },
			...{ checkOutput: 'summary', binaryPropertyName: '' },
		};
		const scene = { parameters, items: [{ json: {} }] };
		const check = await perform(this.service, 'transaction/check', scene);
		// What was under way may have been done meanwhile.
		if (!this.isRecalled) return [];
		return [
			...(/^1 planned\. \w+ stands recalled for new documents/.test(hints(plan))
				? []
				: [`the plan doesn't say that it stands recalled: ${textOf(plan)} ${hints(plan)}`]),
			...(/recalled for new documents: nobody can sign/.test(
				String(check.items[0]?.json.warning_list),
			)
				? []
				: [`Check doesn't say that it stands recalled: ${textOf(check)}`]),
		];
	}

	/** What the ledger has against it so far: lost, doubled, or sent as it mustn't be. */
	listFaults(isOnce = true): string[] {
		const { start, service } = this;
		const told: string[] = [];
		const there = new Map(isCopy(start) ? [] : this.before);
		for (const { kind, id, marker } of service.effects) {
			const name = kind.startsWith('enote.') ? ENOTE_NAME : marker;
			if (kind.endsWith('.added')) there.set(id, name);
			const isGone = kind.endsWith('.deleted') && there.delete(id);
			// A closing has one eNote at most, so the old one goes first.
			if (isGone && name !== ENOTE_NAME && ![...there.values()].includes(name))
				told.push(`${name} was deleted before another one was there`);
			if (kind === 'transaction.sent' || kind === 'transaction.deleted')
				told.push(...this.listWrongPapers(there).map((text) => `${kind}: ${text}`));
		}
		if (isOnce) told.push(...listRepeated(service.effects, EFFECTS[start]));
		// A service may take it for all that there is.
		if (service.requests.some(({ method }) => method === 'PUT')) told.push('there was a PUT');
		return [...told, ...service.problems.map(({ message }) => `the double failed: ${message}`)];
	}

	/** What isn't as it's wanted in the end. */
	listDeviations(): string[] {
		const { current, start, service } = this;
		if (current === undefined) return ['there is nothing'];
		const told = this.listWrongPapers(new Map(current.documents.map(({ id, name }) => [id, name])));
		const status = isCopy(start) ? 'started' : 'sent';
		if (current.status !== status) told.push(`it's ${current.status}`);
		const { size } = service.state.transactions;
		if (size !== (start === 'ended' ? 2 : 1)) told.push(`there are ${size} transactions`);
		const note = current.documents.find(({ name }) => name === 'Note');
		if (start === 'tracked' && note?.fields.tracking_id !== TRACKING_ID)
			told.push('the Tracking ID is lost');
		return told;
	}

	/** What is missing, doubled or old among documents, which are names by their IDs. */
	private listWrongPapers(there: Map<string, string>): string[] {
		return [...new Set(this.before.values())].flatMap((name) => {
			const ids = [...there].filter(([, one]) => one === name).map(([id]) => id);
			// Consent forms are the service's own.
			if (/^eSign/.test(name)) return [];
			if (ids.length !== 1) return [`${name} is there ${ids.length} times`];
			const isKept = name === 'Deed' && !isCopy(this.start);
			return this.before.has(ids[0]) === isKept ? [] : [`the wrong ${name} is there`];
		});
	}
}

/** Which papers are new where, for an execution; plain values. */
export interface PapersTask {
	start: Start;
	platform: Platform;
	secondMs: number;
	url: string;
	key: string;
	transactionId: string;
	executionId: string;
}

interface PapersRun {
	set?: IDataObject;
	tries?: number;
	execution?: Partial<RunOptions>;
}

/** Runs the operation once. */
export async function runPapersOnce(
	{ start, platform, secondMs, url, key, transactionId, executionId }: PapersTask,
	{ set, tries, execution }: PapersRun = {},
): Promise<RunOutcome> {
	const copy = { settingsNotShown: 'none', deleteOld: start === 'alive' };
	const replace = {
		...{ documentRules: RULES, thenReplace: 'send', evenIfSent: true },
		enote: start === 'enote' ? ENOTE : {},
		additionalFields: start === 'tracked' ? BY_HAND : {},
	};
	const parameters = {
		...{ platform, transactionId: locator(transactionId) },
		...(isCopy(start) ? copy : replace),
		...set,
	};
	return await perform(
		{ url, key },
		`transaction/${isCopy(start) ? 'copy' : 'replaceDocuments'}`,
		{ parameters, ...(await papersOf(isCopy(start) ? OLD : NEW, start)) },
		{
			...{ limits: lookUpLimits(secondMs), tries, waitBetweenTries: secondMs },
			execution: { executionId, ...execution },
		},
	);
}

const BY_HAND = { replaceAddedByHand: true, flagsNotShown: 'rule' };

/** Only a closing of that start has an eNote. */
const papersOf = async (files: typeof OLD, start: Start) =>
	await withFiles(
		Object.fromEntries(
			Object.entries(files).filter(([name]) => start === 'enote' || name !== 'note.xml'),
		),
	);

/** What was done more often than it's wanted. */
const listRepeated = (effects: readonly Effect[], wanted: string[]): string[] => {
	const countIn = (kinds: string[], kind: string) => kinds.filter((one) => one === kind).length;
	const done = effects.map(({ kind }) => kind);
	return [...new Set(done)]
		.filter((kind) => countIn(done, kind) > countIn(wanted, kind))
		.map((kind) => `${kind} was done ${countIn(done, kind)} times`);
};

const reportOf = (outcome: RunOutcome) =>
	statesOf({ outcome, scene: { items: [{ json: {} }] } })[0];
const stateOf = (outcome: RunOutcome): string => reportOf(outcome).state;
/** Message and remedy of a run that failed; empty if it went well. */
export const textOf = (outcome: RunOutcome): string => reportOf(outcome).said;

/** How often somebody runs it again. */
const MOST_RUNS = 4;

/** Runs a cell. */
export async function runPapers(cell: PaperCell, secondMs: number): Promise<LateResult> {
	const { start, platform, number, blow, actor } = cell;
	const papers = await NewPapers.make(start, platform, secondMs);
	const { service } = papers;
	try {
		const fault = { ...findFault(blow), appliesTo: ({ write }: { write: boolean }) => write };
		const struck = service.inject({ fault, after: number });
		const isKilled = actor.startsWith('killed');
		let isOver = false;
		const cancelled = passRounds(Infinity, () => struck.struck > 0 || isOver);
		const first = await papers.run({
			tries: actor === 'Retry On Fail' ? 3 : 1,
			...(isKilled && { execution: { cancelled } }),
		});
		isOver = true;
		const wrong = struck.struck === 0 ? ['nothing was struck'] : [];
		const told = [stateOf(first)];
		let outcome = first;
		while (outcome.error !== undefined && told.length < MOST_RUNS) {
			const said = textOf(outcome);
			if (papers.isRecalled && !isKilled && !/recall/i.test(said))
				wrong.push(`the message doesn't say that it's recalled: ${said}`);
			wrong.push(...(await papers.listUnsaid()));
			// Who is told to wait for the service does so. What a killed run would have said, nobody reads.
			const isRead = !isKilled || told.length > 1;
			if (isRead && /two minutes|ten minutes/i.test(said)) await sleep(605 * secondMs);
			// So does who is told to set the Tracking ID again.
			if (said.includes("Set it with 'Document: Update'")) papers.setTrackingId();
			outcome = await papers.run();
			told.push(stateOf(outcome));
		}
		if (outcome.error !== undefined) wrong.push(`run again, it fails: ${textOf(outcome)}`);
		await service.settle();
		const isCutOff = isKilled && LATE.includes(blow);
		// What the service has done late is put right by the next run, which has nothing to do otherwise.
		const before = service.effects.length;
		if (isCutOff) wrong.push(...(await papers.listUnsaid()));
		const last = await papers.run();
		if (last.error !== undefined) wrong.push(`the last run fails: ${textOf(last)}`);
		if (!isCutOff && service.effects.length > before) wrong.push('the last run has written');
		wrong.push(...papers.listFaults(!isCutOff), ...papers.listDeviations());
		const scene = sceneOf(cell);
		return { name: nameOf(cell), scene, actor, isCutOff, told, doubled: [], wrong };
	} finally {
		await service.close();
	}
}
