/** CEL: what templates and conditions may call, at what cost, and what an evaluation answers. */
package io.middleware.engine.render.expression;
