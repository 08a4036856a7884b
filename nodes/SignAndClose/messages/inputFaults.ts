import { asError } from '../transport/failure/failure';
import { joinWithAnd, quote, joinSentences, withNumbers } from '../values/words';
import { InputFailure } from './failures';

/*
 * Tells all that can't be used of an item's input at once, instead of one fault a run. One fault
 * alone keeps its own words.
 */

/** How many fields the title names, and how many faults the description explains. */
const MOST_NAMED = 3;
const MOST_EXPLAINED = 40;

/** What to do about a value that is empty. All faults in one message share these sentences. */
export const ADVICE = {
	enter: 'Enter a value',
	choose: 'Choose one from the list or enter its ID',
	check: "If it's an expression, check what it returns for this item",
	output: 'To take it from the workflow, put this node after one that outputs it',
};

const SHARED_ADVICE: ReadonlySet<string> = new Set(Object.values(ADVICE));

/** Several values of the input can't be used; nothing was sent. */
class InputFailures extends InputFailure {
	/** @param faults two or more */
	constructor(private readonly faults: readonly InputFailure[]) {
		const [first, ...otherLabels] = new Set(faults.map(({ parameter }) => parameter));
		const problem =
			otherLabels.length > 0
				? describeProblem(otherLabels)
				: `${faults[0].problem} (and ${faults.length - 1} more)`;
		super(first, problem, joinRemedies(faults));
	}

	override get failures(): readonly InputFailure[] {
		return this.faults;
	}
}

/** Continues the title after the first field. */
function describeProblem(labels: string[]): string {
	const names = labels.slice(0, MOST_NAMED - 1).map(quote);
	const hiddenCount = labels.length - names.length;
	if (hiddenCount > 0) names.push(`${hiddenCount} more`);
	// The first field stands before it already.
	return `${joinWithAnd(['', ...names]).trimStart()} can't be used`;
}

/** What all messages begin with, e.g. the rule and the file of each. The title has said it. */
function findSharedBeginning([first, ...further]: readonly InputFailure[]): string {
	const ends = [...first.message.matchAll(/: /g)].map(({ index }) => index + 2);
	const isShared = (end: number) =>
		further.every(({ message }) => message.startsWith(first.message.slice(0, end)));
	return first.message.slice(0, ends.filter(isShared).at(-1) ?? 0);
}

/** Each fault with its remedy, numbered. What several in a row share stands with the last of them. */
function joinRemedies(faults: readonly InputFailure[]): string {
	const faultsShown = faults.slice(0, MOST_EXPLAINED);
	const { length: beginning } = findSharedBeginning(faults);
	const remedies = faultsShown.map(({ remedy }) => remedy.split('. '));
	const isSaidLater = (advice: string, index: number) => {
		const laterRemedies = remedies.slice(index + 1);
		const nextRemedies = SHARED_ADVICE.has(advice) ? laterRemedies : laterRemedies.slice(0, 1);
		return nextRemedies.flat().includes(advice);
	};
	const explained = faultsShown.map(({ message }, index) => {
		const ownSentences = remedies[index].filter((sentence) => !isSaidLater(sentence, index));
		return joinSentences(message.slice(beginning), ...ownSentences);
	});
	const hiddenCount = faults.length - explained.length;
	return joinSentences(
		...withNumbers(explained),
		hiddenCount > 0 && `There are ${hiddenCount} more like these`,
	);
}

/** Collects the faults of an item's input. */
export class Faults {
	/** Those that were found so far. */
	readonly all: InputFailure[] = [];

	private readonly known = new Set<string>();

	/**
	 * Reads one thing.
	 * @returns undefined when it can't be used
	 * @throws anything but an InputFailure
	 */
	collect<T>(reader: () => T): T | undefined {
		try {
			return reader();
		} catch (thrown) {
			return this.note(thrown);
		}
	}

	/** Reads one thing that takes time, as collect(). */
	async collectLater<T>(reader: () => Promise<T>): Promise<T | undefined> {
		return await reader().catch((thrown: unknown) => this.note(thrown));
	}

	/** Notes a fault. Anything else that was thrown is thrown again. */
	note(thrown: unknown): undefined {
		if (!(thrown instanceof InputFailure)) throw asError(thrown);
		// Two readers may need the same field.
		for (const fault of thrown.failures) if (!this.known.has(fault.message)) this.all.push(fault);
		for (const { message } of thrown.failures) this.known.add(message);
		return undefined;
	}

	/**
	 * @param stands what became of the item's transaction, a sentence without a final period
	 * @throws InputFailure with all that was found; nothing when there is none
	 */
	throwIfAny(stands?: string): void {
		const [first, ...further] = this.all;
		if (first === undefined) return;
		const failure = further.length === 0 ? first : new InputFailures(this.all);
		if (stands === undefined) throw failure;
		const { parameter, problem, remedy } = failure;
		throw new InputFailure(parameter, problem, joinSentences(stands, remedy));
	}
}

/**
 * Reads several things that don't depend on each other.
 * @throws InputFailure with all that can't be used
 */
export function parseTogether<R extends Record<string, () => unknown>>(
	readers: R,
): { [K in keyof R]: ReturnType<R[K]> } {
	const values = parseEach(Object.entries(readers), ([name, reader]) => [name, reader()] as const);
	return Object.fromEntries(values) as { [K in keyof R]: ReturnType<R[K]> };
}

/**
 * Reads several things one after the other, some of which take time, as parseTogether().
 * @throws InputFailure with all that can't be used
 */
export async function parseInTurn<R extends Record<string, () => unknown>>(
	readers: R,
): Promise<{ [K in keyof R]: Awaited<ReturnType<R[K]>> }> {
	const faults = new Faults();
	const values: Array<[string, unknown]> = [];
	for (const [name, reader] of Object.entries(readers))
		values.push([name, await faults.collectLater(async () => await reader())]);
	faults.throwIfAny();
	return Object.fromEntries(values) as { [K in keyof R]: Awaited<ReturnType<R[K]>> };
}

/**
 * Reads each entry of a list, e.g. the rows of a parameter.
 * @throws InputFailure with all that can't be used
 */
export function parseEach<E, T>(
	entries: readonly E[],
	reader: (entry: E, index: number) => T,
): T[] {
	const faults = new Faults();
	const values = entries.map((entry, index) => faults.collect(() => reader(entry, index)));
	faults.throwIfAny();
	return values as T[];
}
