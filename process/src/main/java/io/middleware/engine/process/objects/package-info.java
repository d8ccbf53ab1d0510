/** Objects on the API server that others write as well: how to read them, and write onto them. */
package io.middleware.engine.process.objects;
