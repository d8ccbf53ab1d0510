/** What the engine's processes write to their log, and how. */
package io.middleware.engine.process.log;
