/** The format and the fields of the engine's log lines. */
package io.middleware.engine.process.log;
