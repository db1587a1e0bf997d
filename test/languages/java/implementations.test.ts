// jdtls leaves out anonymous classes in static initializers, and methods with the bound of a type variable.
import { expect } from 'bun:test';
import { javaProject, jdtls } from '../../support/java-project.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

const timeoutMs = 600_000;
const files: Readonly<Record<string, string>> = {
  ...javaProject,
  'src/shop/Check.java': `package shop;

abstract class Check {
    static final Check INSTANCE;

    static {
        INSTANCE = new Check() {
            @Override
            boolean allows(Object one) {
                return true;
            }
        };
    }

    abstract boolean allows(Object one);
}

class Strict extends Check {
    boolean allows(Object one) {
        return false;
    }

    boolean allows(String one) {
        return false;
    }
}
`,
  // Another type of the same name.
  'src/bank/Check.java': `package bank;

interface Check {
    boolean allows(Object one);
}

class Checks {
    static final Check FIRST;

    static {
        FIRST = new Check() {
            public boolean allows(Object one) {
                return true;
            }
        };
    }
}
`,
  'src/shop/Adapter.java': `package shop;

import java.util.Date;

abstract class Adapter<T> {
    abstract void write(String out, T value);

    void write(String out, int count) {}

    abstract void flush(String out, int count);
}

class DateAdapter<T extends Date> extends Adapter<T> {
    @Override
    void write(String out, Date value) {}

    @Override
    void flush(String out, int count) {}

    void flush(String out, Date value) {}
}

class TextAdapter extends Adapter<String> {
    @Override
    void write(String out, String value) {}

    void write(String out, Object value) {}

    @Override
    void flush(String out, int count) {
        new Adapter<Integer>() {
            @Override
            void write(String out, Integer value) {}

            @Override
            void flush(String out, int count) {}
        }.flush(out, count);
    }
}
`,
};

testUnless(jdtls.whyNot)(
  'implementations in Java that the language server leaves out are named, and no others',
  async () => {
    const { client } = await openShared(files, { env: jdtls.env });
    const ask = async (namePath: string, file: string) => {
      const args = { name_path: namePath, relative_path: file };
      return (await client.call('find_implementations', args, { timeoutMs })).blocks.join('\n');
    };
    const method = await ask('Check/allows', 'src/shop/Check.java');
    expect(method).toContain('Strict/allows');
    expect(method).not.toContain('"Check/allows"');
    expect(method).toContain('- An implementation in `src/shop/Check.java`, line 8 (0-based), is not listed');
    const generic = await ask('Adapter/write[0]', 'src/shop/Adapter.java');
    expect(generic).toContain('TextAdapter/write');
    expect(generic).toContain('DateAdapter/write');
    for (const complete of ['Adapter', 'Adapter/flush', 'Adapter/write[0]', 'Adapter/write[1]']) {
      expect(await ask(complete, 'src/shop/Adapter.java')).not.toContain('Incomplete');
    }
  },
  timeoutMs,
);
