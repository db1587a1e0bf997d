import { archiveFor, type Channel, type ChannelFacts } from './channel.ts';

/** The formula for a Homebrew tap. */
export const homebrew: Channel = (facts) => [{ path: `Formula/${facts.name}.rb`, text: formula(facts) }];

function formula(facts: ChannelFacts): string {
  const { title, summary, homepage, version, license } = facts;
  const source = (id: string) => {
    const { url, sha256 } = archiveFor(facts, id);
    return `      url "${url}"\n      sha256 "${sha256}"`;
  };
  return `class ${title} < Formula
  desc "${summary}"
  homepage "${homepage}"
  version "${version}"
  license "${license}"

  on_macos do
    on_arm do
${source('darwin-arm64')}
    end
    on_intel do
${source('darwin-x64')}
    end
  end

  on_linux do
    on_arm do
${source('linux-arm64')}
    end
    on_intel do
${source('linux-x64')}
    end
  end

  # The program carries its code behind the runtime: stripping or patching removes or breaks it.
  skip_clean :all

  def install
    bin.install "serena"
    bin.install_symlink "serena" => "serena-hooks"
    man1.install "serena.1"
    generate_completions_from_executable(bin/"serena", "completions")
  end

  test do
    assert_equal "Serena #{version}", shell_output("#{bin}/serena --version").strip
    system bin/"serena", "self-check"
  end
end
`;
}
