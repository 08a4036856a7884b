import { InputFailure } from '../../../nodes/SignAndClose/messages/failures.ts';
import {
	Faults,
	parseEach,
	parseTogether,
} from '../../../nodes/SignAndClose/messages/inputFaults.ts';

/** Faults of the input, told together. */

const fault = (label: string, what = 'is empty') => new InputFailure(label, what, `Enter ${label}`);
const failing = (label: string) => () => {
	throw fault(label);
};
function thrownBy(work: () => unknown): InputFailure {
	try {
		work();
	} catch (thrown) {
		return thrown as InputFailure;
	}
	throw new Error('Nothing was thrown');
}

test('what can be read is given back under its name', () => {
	expect(parseTogether({ a: () => 1, b: () => undefined, c: () => 'x' })).toEqual({
		a: 1,
		b: undefined,
		c: 'x',
	});
	expect(parseEach([1, 2], (number, index) => number * 10 + index)).toEqual([10, 21]);
});

describe('one fault', () => {
	test('keeps its own words', () => {
		const own = fault('Email');
		const thrown = thrownBy(() =>
			parseTogether({
				a: () => 1,
				email() {
					throw own;
				},
			}),
		);
		expect(thrown).toBe(own);
	});
	test('that two readers find is told once', () => {
		const { message, remedy } = thrownBy(() =>
			parseTogether({ a: failing('Email'), b: failing('Email') }),
		);
		expect([message, remedy]).toEqual(["'Email' is empty", 'Enter Email']);
	});
});

describe('several faults', () => {
	const told = (...labels: string[]) =>
		thrownBy(() => parseEach(labels, (label) => failing(label)()));

	test('are numbered, each with its field and its remedy', () => {
		const { message, remedy, flags } = told('Email', 'State');
		expect(message).toBe("'Email' and 'State' can't be used");
		expect(remedy).toBe("(1) 'Email' is empty. Enter Email. (2) 'State' is empty. Enter State");
		expect(flags.final).toBe(true);
	});
	test('name up to three fields in the title', () => {
		expect(told('A', 'B', 'C').message).toBe("'A', 'B' and 'C' can't be used");
		expect(told('A', 'B', 'C', 'D', 'E').message).toBe("'A', 'B', 'C' and 2 more can't be used");
	});
	test('say once, with the last of them, what to do about all that are empty', () => {
		const CHECK = "If it's an expression, check what it returns for this item";
		const given = [
			['A', `Enter a value. ${CHECK}`],
			['B', `Enter an address. ${CHECK}`],
			['C', 'Enter C'],
			['D', `Enter a value. ${CHECK}`],
			['E', 'Enter C'],
		];
		const { remedy } = thrownBy(() =>
			parseEach(given, ([label, advice]) => {
				throw new InputFailure(label, 'is empty', advice);
			}),
		);
		expect(remedy).toBe(
			"(1) 'A' is empty. (2) 'B' is empty. Enter an address. (3) 'C' is empty. Enter C. " +
				`(4) 'D' is empty. Enter a value. ${CHECK}. (5) 'E' is empty. Enter C`,
		);
	});
	test('of one field have the first fact and their number in the title, and what they share once', () => {
		const rows = [', entry 1: is odd', ', entry 3: is odd'];
		const { message, remedy } = thrownBy(() =>
			parseEach(rows, (what) => {
				throw fault('Contacts', what);
			}),
		);
		expect(message).toBe("'Contacts', entry 1: is odd (and 1 more)");
		expect(remedy).toBe(
			"(1) 'Contacts', entry 1: is odd. (2) 'Contacts', entry 3: is odd. Enter Contacts",
		);
	});
	test('within each other stay one list', () => {
		const { message, failures: each } = thrownBy(() =>
			parseTogether({
				signers: () => parseTogether({ a: failing('Email'), b: failing('Phone') }),
				state: failing('State'),
			}),
		);
		expect(message).toBe("'Email', 'Phone' and 'State' can't be used");
		expect(each.map(({ parameter }) => parameter)).toEqual(['Email', 'Phone', 'State']);
	});
	test('that are very many are cut', () => {
		const labels = Array.from({ length: 45 }, (_, index) => `Field ${index + 1}`);
		const { remedy } = told(...labels);
		expect(remedy).toMatch(
			/\(40\) 'Field 40' is empty\. Enter Field 40\. There are 5 more like these$/,
		);
	});
});

test('anything else that is thrown is thrown at once', async () => {
	const faults = new Faults();
	const broken = () => {
		throw new TypeError('Broken');
	};
	faults.collect(failing('Email'));
	expect(() => faults.collect(broken)).toThrow('Broken');
	await expect(
		faults.collectLater(async () => await Promise.reject(new Error('Late'))),
	).rejects.toThrow('Late');
	expect(await faults.collectLater(async () => await Promise.resolve(7))).toBe(7);
	expect(faults.all).toHaveLength(1);
	expect(() => faults.throwIfAny()).toThrow("'Email' is empty");
});
