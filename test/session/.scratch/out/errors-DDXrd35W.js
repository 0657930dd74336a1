// kernel/session/errors.ts
/** A cell is not valid TypeScript: its syntax or its types. */
var TypeScriptError = class extends Error {
	name;
	source;
	faults;
	constructor(name, source, faults) {
		super(faults.map((fault) => `${fault.line}:${fault.column} ${fault.message}`).join("\n"));
		this.name = name;
		this.source = source;
		this.faults = faults;
		this.stack = `${name}: ${this.message}`;
	}
};
/** A cell was stopped from outside. */
var InterruptedError = class extends Error {
	name = "InterruptedError";
	constructor() {
		super("Interrupted the cell: what was set before is kept");
	}
};
/** A cell begins with a `%%` line that no kind of cell answers to. */
var UnknownMagicError = class extends SyntaxError {
	name = "UnknownMagicError";
	constructor(magic) {
		super(`Cannot run a cell that begins with "${magic}": cells begin with "%%http" for requests, "%%ts" for TypeScript, or neither`);
	}
};
/** Ends the code of a cell that has called `process.exit`. */
var CellExit = class extends Error {
	name = "CellExit";
	status;
	constructor(status) {
		super(`Ended by process.exit(${status})`);
		this.status = status;
	}
};
export { UnknownMagicError as i, InterruptedError as n, TypeScriptError as r, CellExit as t };
