/* The states and territories of the United States by their names. */

const STATES =
	'AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, ' +
	'CT Connecticut, DE Delaware, DC District of Columbia, FL Florida, GA Georgia, ' +
	'HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, ' +
	'LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, ' +
	'MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, ' +
	'NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, ' +
	'OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island, ' +
	'SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, ' +
	'VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, ' +
	'AS American Samoa, GU Guam, MP Northern Mariana Islands, PR Puerto Rico, ' +
	'VI Virgin Islands';

/** Two-letter codes by names in small letters. */
const CODES = new Map(
	STATES.split(', ').map((entry) => [entry.slice(3).toLowerCase(), entry.slice(0, 2)]),
);

/**
 * Finds the code of a state by its name, however its letters and spaces are written.
 * @returns two capital letters; undefined for anything but a name
 */
export function codeOfState(name: string): string | undefined {
	return CODES.get(name.trim().toLowerCase().replace(/\s+/g, ' '));
}
