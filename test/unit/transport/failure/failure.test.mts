import {
	asError,
	asFailure,
	Failure,
	findFailure,
	withUnknownOutcome,
	isNotFound,
	saysNotFound,
	ServiceFailure,
	type Refusal,
} from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** Wraps what was thrown, as n8n and Node.js do. */
function wrapped(thrown: unknown, times = 1): unknown {
	let outer = thrown;
	for (let time = 0; time < times; time++) outer = new Error('wrapped', { cause: outer });
	return outer;
}
const OWN = new ServiceFailure({ code: 'noContent' }, { httpStatus: 200 });

describe('our own failure', () => {
	test('is found below what others wrap around it, at most four times', () => {
		forEachCase([0, 1, 4], (times) => expect(findFailure(wrapped(OWN, times))).toBe(OWN));
		expect(findFailure(wrapped(OWN, 5))).toBeUndefined();
	});
	test('is not found where there is none, and causes may go round in a circle', () => {
		const otherwise = new Failure('other');
		const round: Error & { cause?: unknown } = new Error('round');
		round.cause = round;
		forEachCase(
			[undefined, null, { cause: OWN }, new Error('?'), wrapped('text'), round],
			(thrown) => expect(asFailure(thrown, otherwise)).toBe(otherwise),
		);
	});
	test('with an unknown outcome is the same failure, and keeps what else is known', () => {
		const failure = new ServiceFailure({ code: 'noContent' }, { httpStatus: 502, final: false });
		const unknown = withUnknownOutcome(failure);
		expect(unknown).toMatchObject({ name: 'ServiceFailure', reason: failure.reason });
		expect(unknown.flags).toEqual({ ...failure.flags, unknownOutcome: true });
		expect(failure.flags.unknownOutcome).toBeUndefined();
		expect(withUnknownOutcome(new Failure('in words', { final: true }))).toMatchObject({
			name: 'Failure',
			message: 'in words',
			flags: { final: true, unknownOutcome: true },
		});
	});
});

test('anything thrown can be thrown again as an error', () => {
	expect(asError(OWN)).toBe(OWN);
	forEachCase(['text', undefined], (thrown) =>
		expect(asError(thrown)).toEqual(new Error(String(thrown))),
	);
});

test('what is missing is told by status 404, whoever answered, and by JSON, if the service did', () => {
	const refusal = (more: Partial<Refusal>, httpStatus = 404) =>
		new ServiceFailure(
			{ code: 'refused', status: httpStatus, purpose: 'read', details: [], attempts: 1, ...more },
			{ httpStatus },
		);
	const judged = [
		refusal({ structured: true }),
		wrapped(refusal({ structured: true })),
		refusal({ structured: false }),
		refusal({ structured: true }, 410),
		new Failure('in words', { httpStatus: 404 }),
		new Error('404'),
	].map((thrown) => [isNotFound(thrown), saysNotFound(thrown)]);
	expect(judged).toEqual([
		[true, true],
		[true, true],
		[true, false],
		[false, false],
		[true, false],
		[false, false],
	]);
});
