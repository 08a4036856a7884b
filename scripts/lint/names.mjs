/**
 * Names of the published code (CONTRIBUTING.md#names): a function begins with a verb, `xOf` reads
 * one field, and no pronoun or participle stands alone for a thing.
 */

/** What a function may begin with. A new verb is welcome here; a noun is not. */
const VERBS = new Set(
	`accept add adopt allow answer append apply ask assemble assert authenticate begin bind build
	calculate cancel check choose claim classify clean clear close collapse collect combine compare
	compute confirm contain convert copy correct count create decide decode decompress decrypt define
	delete derive describe detect digest discard divide download draw emit encode end ensure erase escape
	evaluate execute expand expect explain extract fetch fill filter find finish fit fold forget format
	forward generate get give group guess handle has hash hide hold ignore include inflate inform insert
	interpret is join judge keep know label learn limit link list load locate log look lookUp make map
	mark match measure meet merge move multiply name narrow need normalize note notify offer omit open
	order pair parse pause pick place plan poll prepare process pull put queue quote rank read rebuild
	receive recognize record redact reduce refuse register reject release remember remove rename renew
	repair repeat replace report request require resend reset resolve rest restore resume retrieve
	return run sample save scan search select send serialize set share shift shorten should show sign
	simplify skip sort split start stop store stream strip subscribe summarize swap sweep take tell
	throw touch track transform trim try turn undo unpack unsubscribe update upload use validate verify
	visit wait want warn watch wrap write
	advance await change complete connect drop intersect pass recall say shape spend sum trigger
	unescape wake
	can could does may must was were will
	are have leaves matches refuses skips
	accepts adds allows asks calls contains covers differs ends equals exceeds fails fits holds includes
	keeps knows means meets names needs offers overlaps passes points reads requires says shows signs
	starts supports takes tells uses wants
	as on to with without`.split(/\s+/),
);

/** What says nothing alone: pronouns, and participles in the place of a noun. */
const EMPTY_WORDS = new Set(
	`own one ones other others some each both none what who why how where it these those more most
	wanted shown found given known said told kept lost named asked answered chosen taken read listed
	compared added changed removed placed created`.split(/\s+/),
);

/** Names that n8n calls, and one that is said as in the web's own Response. */
const GIVEN = new Set(['webhook', 'authenticate', 'execute', 'json']);

/** Whether a function's whole body reads one field of something: `({ id }) => id` and `(a) => a.b`. */
function readsOneField({ body, params }) {
	let value = body;
	if (value?.type === 'BlockStatement') {
		if (value.body.length !== 1 || value.body[0].type !== 'ReturnStatement') return false;
		value = value.body[0].argument;
	}
	while (['TSAsExpression', 'TSNonNullExpression', 'ChainExpression'].includes(value?.type))
		value = value.expression;
	if (value?.type === 'Identifier') return params[0]?.type === 'ObjectPattern';
	return value?.type === 'MemberExpression' && value.object.type === 'Identifier';
}

const functionNames = {
	meta: { type: 'suggestion', schema: [] },
	create(context) {
		const check = (id, fn) => {
			if (id?.type !== 'Identifier' || GIVEN.has(id.name)) return;
			if (/[a-z0-9]Of$/.test(id.name)) {
				if (!readsOneField(fn))
					context.report({ node: id, message: `'${id.name}' does more than read one field.` });
			} else if (!VERBS.has(/^[a-z]+(Up)?(?![a-z])/.exec(id.name)?.[0] ?? id.name))
				context.report({ node: id, message: `'${id.name}' doesn't begin with a verb.` });
		};
		const isFunction = (node) => /^(ArrowFunction|Function)Expression$/.test(node?.type ?? '');
		return {
			FunctionDeclaration: (node) => check(node.id, node),
			MethodDefinition(node) {
				if (node.kind === 'method') check(node.key, node.value);
			},
			VariableDeclarator(node) {
				if (isFunction(node.init)) check(node.id, node.init);
			},
		};
	},
};

const emptyNames = {
	// Fields of outputs and of what n8n stores keep their names: each file says which it has.
	meta: { type: 'suggestion', schema: [{ type: 'array', items: { type: 'string' } }] },
	create(context) {
		const [fields = []] = context.options;
		const check = (node) => {
			if (
				node?.type === 'Identifier' &&
				EMPTY_WORDS.has(node.name.toLowerCase()) &&
				!fields.includes(node.name)
			)
				context.report({ node, message: `'${node.name}' doesn't say what it is.` });
		};
		const checkPattern = (node) => {
			if (node?.type === 'Identifier') check(node);
			if (node?.type === 'AssignmentPattern') checkPattern(node.left);
			if (node?.type === 'RestElement') checkPattern(node.argument);
			if (node?.type === 'ArrayPattern') node.elements.forEach(checkPattern);
			if (node?.type === 'ObjectPattern')
				node.properties.forEach((property) => checkPattern(property.value ?? property));
		};
		const checkFunction = (node) => {
			check(node.id);
			node.params.forEach(checkPattern);
		};
		return {
			VariableDeclarator: (node) => checkPattern(node.id),
			FunctionDeclaration: checkFunction,
			FunctionExpression: checkFunction,
			ArrowFunctionExpression: checkFunction,
			MethodDefinition: (node) => check(node.key),
			TSPropertySignature: (node) => check(node.key),
			TSMethodSignature: (node) => check(node.key),
			TSInterfaceDeclaration: (node) => check(node.id),
			TSTypeAliasDeclaration: (node) => check(node.id),
		};
	},
};

export default { rules: { 'function-names': functionNames, 'empty-names': emptyNames } };
