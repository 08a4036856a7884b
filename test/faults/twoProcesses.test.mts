import { useBinaryMode } from '../support/engine.mts';
import { until } from '../support/until.mts';
import { NewPapers, textOf, type Start } from './newPapers.mts';
import { Worker } from './twoProcesses/worker.mts';

/**
 * Two processes replace the documents of one transaction at the same time, as in n8n's queue mode. They
 * take turns of so many requests each, and then one goes on to its end, and the other one after it. The
 * service's ledger judges.
 */

await useBinaryMode('filesystem');

const SECOND_MS = 10;
const STARTS: Start[] = ['sent', 'draft', 'tracked', 'enote'];

interface Place {
	start: Start;
	platform: 'business' | 'realEstate';
}

const [first, second] = [new Worker(), new Worker()];
afterAll(async () => {
	await Promise.all([first.end(), second.end()]);
});

/** What two runs at the same time have come to, and a third one after them. */
interface Result extends Place {
	/** How many requests the two have sent in turn before one of them went on to its end. */
	turns: number[];
	/** Whether a run had more to do after its turn. */
	wereHeld: boolean[];
	/** What each run has said; nothing if it went well. */
	said: string[];
	isRecalled: boolean;
	/** What the last look before it was sent couldn't see yet: a document twice, or no eNote. */
	unseen: string[];
	wrong: string[];
}

/** Lets the two take turns. */
async function takeTurns(papers: NewPapers, turns: number[]) {
	const runs = [first, second].map((worker) => ({ worker, said: '', isOver: false }));
	const running: Array<Promise<void>> = [];
	const wereHeld: boolean[] = [];
	const untrue: string[] = [];
	for (const [index, requests] of [...turns, Infinity, Infinity].entries()) {
		const run = runs[index % 2];
		run.worker.limit = index < 2 ? requests : run.worker.limit + requests;
		running[index % 2] ??= run.worker.run(papers.task).then((said) => {
			Object.assign(run, { said, isOver: true });
			if (RECALLED.test(said) && !papers.isRecalled) untrue.push(`it isn't recalled: ${said}`);
		});
		await until(() => run.isOver || run.worker.isHeld, 1);
		wereHeld.push(!run.isOver);
	}
	await Promise.all(running);
	return { said: runs.map(({ said }) => said), wereHeld, untrue };
}
const RECALLED = /was recalled, and nobody can sign it until it's sent/;
const UNSEEN = /^transaction\.sent: (\w+ is there 2 times|enote\.xml is there 0 times)$/;

/** Lets two runs take turns, and somebody run the workflow once more. */
async function runBoth({ start, platform }: Place, turns: number[]): Promise<Result> {
	const papers = await NewPapers.make(start, platform, SECOND_MS);
	try {
		const { said, wereHeld, untrue: wrong } = await takeTurns(papers, turns);
		const { isRecalled, service } = papers;
		if (isRecalled && !said.some((text) => RECALLED.test(text)))
			wrong.push('no run says that it stands recalled');
		const faults = papers.listFaults(false);
		const unseen = faults.filter((text) => UNSEEN.test(text));
		if (unseen.length < faults.length) wrong.push(...faults);
		if (unseen.length > 0 && !said.some((text) => /Run the workflow again/.test(text)))
			wrong.push('no run says that it was sent with a document twice, or without its eNote');
		if (service.effects.filter(({ kind }) => kind === 'transaction.sent').length > 1)
			wrong.push('it was sent twice');
		wrong.push(...(await papers.listUnsaid()));
		const last = textOf(await papers.run());
		if (last !== '') wrong.push(`run again, it fails: ${last}`);
		wrong.push(...papers.listFaults(false).slice(faults.length), ...papers.listDeviations());
		return { start, platform, turns, wereHeld, said, isRecalled, unseen, wrong };
	} finally {
		await papers.service.close();
	}
}

/**
 * Runs all turns, as many as a run has requests.
 * @param steps by how many requests the turns differ from each other; without a common divisor, all moments are met
 */
async function runTurns(
	place: Place,
	[step, ...steps]: number[],
	turns: number[] = [],
): Promise<Result[]> {
	const results: Result[] = [];
	// Other moments for each turn before it.
	const least = turns.reduce((sum, requests) => sum + requests, 0) % step;
	for (let requests = least; ; requests += step) {
		const next = [...turns, requests];
		const more =
			steps.length > 0 ? await runTurns(place, steps, next) : [await runBoth(place, next)];
		results.push(...more);
		if (!more[0].wereHeld[turns.length]) return results;
	}
}

const places = STARTS.flatMap((start) =>
	(['realEstate', 'business'] as const).map((platform) => ({ start, platform })),
).filter(({ start, platform }) => start !== 'enote' || platform === 'realEstate');

test.each(places)('$platform, $start: nothing is lost or old, and all is said', async (place) => {
	const results = [...(await runTurns(place, [1, 3])), ...(await runTurns(place, [4, 3, 5]))];
	expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
	// Nobody can look and send in one.
	const unlucky = results.filter(({ unseen }) => unseen.length > 0);
	expect(unlucky.length).toBeLessThanOrEqual(results.length * 0.04);
});
