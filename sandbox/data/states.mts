/** The states of the USA and the District of Columbia by their two letters. */

const STATES = new Set(
	(
		'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ ' +
		'NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'
	).split(' '),
);

/** Whether a text is the code of a state, in any case. */
export function isState(code: unknown): code is string {
	return typeof code === 'string' && STATES.has(code.toUpperCase());
}
